// The value of each term under a model: a small evaluator, tested against Solvent's own.
// Values are {bool}, {int: BigInt}, {bits: BigInt, width}, {ratio: [BigInt, BigInt]}, {text: [codes]}.
const evaluator = (() => {
  const power = (width) => 1n << BigInt(width);
  const bits = (value, width) => ({ bits: ((value % power(width)) + power(width)) % power(width), width });
  const signed = (v) => (v.bits >= power(v.width - 1) ? v.bits - power(v.width) : v.bits);
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a < 0n ? -a : a; };
  const ratio = (n, d) => {
    if (d < 0n) [n, d] = [-n, -d];
    const g = gcd(n, d) || 1n;
    return { ratio: [n / g, d / g] };
  };
  const asRatio = (v) => (v.ratio ? v.ratio : [v.int, 1n]);
  const floorDiv = (a, b) => { const q = a / b; return a % b !== 0n && (a < 0n) !== (b < 0n) ? q - 1n : q; };
  // Euclidean, as SMT-LIB has it; by zero as Solvent's models complete it.
  const div = (a, b) => (b === 0n ? 0n : b > 0n ? floorDiv(a, b) : -floorDiv(a, -b));
  const mod = (a, b) => (b === 0n ? a : a - b * div(a, b));
  const same = (a, b) => {
    if ("bool" in a) return a.bool === b.bool;
    if ("bits" in a) return a.bits === b.bits && a.width === b.width;
    if ("text" in a) return a.text.length === b.text.length && a.text.every((c, n) => c === b.text[n]);
    const [n, d] = asRatio(a), [m, e] = asRatio(b);
    return n * e === m * d;
  };
  const truth = (bool) => ({ bool });
  const number = (int) => ({ int });
  const word = (text) => ({ text });
  const arith = (a, b, f, g) => (a.ratio || b.ratio ? g(asRatio(a), asRatio(b)) : number(f(a.int, b.int)));
  const find = (whole, part, from) => {
    for (let place = from; place + part.length <= whole.length; place++)
      if (part.every((c, n) => whole[place + n] === c)) return place;
    return -1;
  };
  const compare = (a, b) => {
    for (let n = 0; n < Math.min(a.length, b.length); n++) if (a[n] !== b[n]) return a[n] - b[n];
    return a.length - b.length;
  };
  const cut = (text, from, count) => {
    const size = BigInt(text.length);
    if (from < 0n || from >= size || count <= 0n) return [];
    return text.slice(Number(from), Number(from + count > size ? size : from + count));
  };
  const unsignedDiv = (a, b) => (b === 0n ? -1n : a / b);
  const unsignedRem = (a, b) => (b === 0n ? a : a % b);
  const absolute = (a) => (a < 0n ? -a : a);
  const shift = (a, b, f) => bits(f(a, b.bits >= BigInt(a.width) ? BigInt(a.width) : b.bits), a.width);
  const onBits = (f) => (a, b) => bits(f(a.bits, b.bits), a.width);
  const operations = {
    not: (a) => truth(!a.bool),
    and: (...all) => truth(all.every((v) => v.bool)),
    or: (...all) => truth(all.some((v) => v.bool)),
    "=": (a, b) => truth(same(a, b)),
    ite: (c, a, b) => (c.bool ? a : b),
    "+": (a, b) => arith(a, b, (x, y) => x + y, ([n, d], [m, e]) => ratio(n * e + m * d, d * e)),
    "*": (a, b) => arith(a, b, (x, y) => x * y, ([n, d], [m, e]) => ratio(n * m, d * e)),
    "-": (a) => (a.ratio ? ratio(-a.ratio[0], a.ratio[1]) : number(-a.int)),
    "<=": (a, b) => { const [n, d] = asRatio(a), [m, e] = asRatio(b); return truth(n * e <= m * d); },
    div: (a, b) => number(div(a.int, b.int)),
    mod: (a, b) => number(mod(a.int, b.int)),
    "/": (a, b) => { const [n, d] = asRatio(a), [m, e] = asRatio(b); return m === 0n ? ratio(0n, 1n) : ratio(n * e, d * m); },
    to_real: (a) => ratio(a.int, 1n),
    to_int: (a) => number(floorDiv(...asRatio(a))),
    is_int: (a) => truth(asRatio(a)[1] === 1n),
    bvadd: onBits((a, b) => a + b),
    bvmul: onBits((a, b) => a * b),
    bvand: onBits((a, b) => a & b),
    bvor: onBits((a, b) => a | b),
    bvxor: onBits((a, b) => a ^ b),
    bvneg: (a) => bits(-a.bits, a.width),
    bvnot: (a) => bits(-a.bits - 1n, a.width),
    bvudiv: onBits(unsignedDiv),
    bvurem: onBits(unsignedRem),
    bvsdiv: (a, b) => {
      const x = signed(a), y = signed(b);
      if (y === 0n) return bits(x >= 0n ? -1n : 1n, a.width);
      return bits(x / y, a.width);
    },
    bvsrem: (a, b) => { const y = signed(b); return bits(y === 0n ? signed(a) : signed(a) % y, a.width); },
    bvsmod: (a, b) => {
      const x = signed(a), y = signed(b);
      return bits(y === 0n ? x : x - y * floorDiv(x, y), a.width);
    },
    bvshl: (a, b) => shift(a, b, (v, n) => v.bits << n),
    bvlshr: (a, b) => shift(a, b, (v, n) => v.bits >> n),
    bvashr: (a, b) => shift(a, b, (v, n) => signed(v) >> n),
    bvule: (a, b) => truth(a.bits <= b.bits),
    bvsle: (a, b) => truth(signed(a) <= signed(b)),
    concat: (a, b) => bits((a.bits << BigInt(b.width)) | b.bits, a.width + b.width),
    ubv_to_int: (a) => number(a.bits),
    "str.++": (a, b) => word([...a.text, ...b.text]),
    "str.len": (a) => number(BigInt(a.text.length)),
    "str.at": (a, n) => word(cut(a.text, n.int, 1n)),
    "str.substr": (a, n, count) => word(cut(a.text, n.int, count.int)),
    "str.prefixof": (a, b) => truth(find(b.text.slice(0, a.text.length), a.text, 0) === 0),
    "str.suffixof": (a, b) => truth(a.text.length <= b.text.length && find(b.text, a.text, b.text.length - a.text.length) >= 0),
    "str.contains": (a, b) => truth(find(a.text, b.text, 0) >= 0),
    "str.indexof": (a, b, n) => number(n.int < 0n || n.int > BigInt(a.text.length) ? -1n : BigInt(find(a.text, b.text, Number(n.int)))),
    "str.<": (a, b) => truth(compare(a.text, b.text) < 0),
    "str.<=": (a, b) => truth(compare(a.text, b.text) <= 0),
    "str.replace": (a, b, c) => {
      const place = find(a.text, b.text, 0);
      return place < 0 ? a : word([...a.text.slice(0, place), ...c.text, ...a.text.slice(place + b.text.length)]);
    },
    "str.to_code": (a) => number(a.text.length === 1 ? BigInt(a.text[0]) : -1n),
    "str.from_int": (a) => word(a.int < 0n ? [] : [...a.int.toString()].map((c) => c.charCodeAt(0))),
    "str.to_int": (a) => number(a.text.length && a.text.every((c) => c >= 48 && c <= 57) ? BigInt(String.fromCodePoint(...a.text)) : -1n),
    "str.is_digit": (a) => truth(a.text.length === 1 && a.text[0] >= 48 && a.text[0] <= 57),
  };
  const families = {
    extract: ([high, low]) => (a) => bits(a.bits >> BigInt(low), Number(high) - Number(low) + 1),
    zero_extend: ([more]) => (a) => bits(a.bits, a.width + Number(more)),
    sign_extend: ([more]) => (a) => bits(signed(a), a.width + Number(more)),
    int_to_bv: ([width]) => (a) => bits(a.int, Number(width)),
  };
  const decode = (v) => {
    if (!v) return null;
    if ("int" in v) return number(BigInt(v.int));
    if ("bits" in v) return { bits: BigInt(v.bits), width: v.width };
    if ("ratio" in v) return { ratio: v.ratio.map(BigInt) };
    return v;
  };
  // What is typed in for a constant; null if it is no value of its sort.
  const read = (sort, typed) => {
    const text = typed.trim();
    try {
      if (sort.reads === "bool") return /^(true|1)$/i.test(text) ? truth(true) : /^(false|0|)$/i.test(text) ? truth(false) : null;
      if (sort.reads === "text") return word([...typed].map((c) => c.codePointAt(0)));
      if (sort.reads === "int") return /^-?\w*$/.test(text) ? number(text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text || "0")) : null;
      if (sort.reads === "bits") return bits(text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text || "0"), sort.width);
      if (sort.reads === "ratio") {
        const [, sign, whole, fraction, below] = /^(-?)(\d*)(?:\.(\d+)|\/(\d+))?$/.exec(text) || [];
        if (whole === undefined || below === "0") return null;
        const top = BigInt((whole || "0") + (fraction || "")) * (sign ? -1n : 1n);
        return ratio(top, below ? BigInt(below) : 10n ** BigInt((fraction || "").length));
      }
    } catch { return null; }
    return null;
  };
  const show = (v) => {
    if (!v) return "";
    if ("bool" in v) return v.bool ? "True" : "False";
    if ("int" in v) return v.int.toString();
    if ("bits" in v) return `${v.bits} (0x${v.bits.toString(16)})`;
    if ("ratio" in v) return v.ratio[1] === 1n ? v.ratio[0].toString() : `${v.ratio[0]}/${v.ratio[1]}`;
    return JSON.stringify(String.fromCodePoint(...v.text));
  };
  // Arguments have smaller numbers than the terms that use them, so one pass is enough.
  const evaluate = (nodes, model) => {
    const values = [];
    nodes.forEach((node, number) => {
      let value = null;
      if (node.kind === "constant") value = model[number] || null;
      else if (node.kind === "value") value = decode(node.value);
      else if (node.kind === "term") {
        const args = node.args.map((n) => values[n]);
        const family = families[node.op];
        const operation = family ? family(node.params) : operations[node.op];
        if (operation && args.every((v) => v)) value = operation(...args);
      }
      values.push(value);
    });
    return values;
  };
  return { evaluate, read, show };
})();
