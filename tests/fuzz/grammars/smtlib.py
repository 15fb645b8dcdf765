"""Scripts in SMT-LIB that are well formed, and whose sorts often fit."""

from __future__ import annotations

from tests.fuzz.grammars.rules import Grammar

SCRIPTS = Grammar(r"""
script: <head><command>\n | <head><command>\n<command>\n<command>\n | <head><command>\n<script>
head: (declare-const i Int)(declare-const b (_ BitVec 8))(declare-const s String) \
(declare-const r Real)(declare-const f Float32)(declare-const p Bool) \
(declare-const a (Array Int Int))(declare-fun g (Int) Int)\n
command: (assert <bool>) | (assert <bool>) | (assert <bool>) | (declare-const <name> <sort>) | \
(declare-fun <name> (<sort> <sort>) <sort>) | (define-fun <name> ((n Int)) Int <int>) | \
(define-fun <name> () Bool <bool>) | (define-sort <name> (X) (Array X <sort>)) | \
(declare-sort <name> 0) | (push <number>) | (pop <number>) | (check-sat) | \
(get-value (<int> <bits>)) | (check-sat-assuming (<bool>)) | (set-option :timeout <number>) | \
(set-info :a <string>) | (echo <string>) | (minimize <int>) | (get-model) | (reset) | \
(set-logic QF_LRA) | (exit)
name: n | i | |a b| | let | x! | g | h
sort: Int | Bool | Real | String | (_ BitVec <number>) | (_ FloatingPoint <number> <number>) | \
(Array <sort> <sort>) | RegLan | RoundingMode | n | (n Int)
number: 1 | 0 | 2 | 3 | 8 | 16 | 31 | 64 | 1000000 | 4294967296 | 99999999999999999999
string: "" | "a" | "ab""c" | "\u{d800}" | "\u{2ffff}" | "\u0041" | "é\" | "\u{110000}"
bool: p | true | (not <bool>) | (and <bool> <bool>) | (or <bool> <bool>) | (=> <bool> <bool>) | \
(= <int> <int>) | (= <bits> <bits>) | (= <str> <str>) | (distinct <int> <int> <int>) | \
(< <int> <real>) | (bvult <bits> <bits>) | (str.in_re <str> <re>) | (fp.lt <float> <float>) | \
(is_int <real>) | (forall ((n Int)) <bool>) | (exists ((i (_ BitVec 2))) <bool>) | \
(let ((i <int>) (p <bool>)) <bool>) | (! <bool> :named <name>) | \
(! <bool> :pattern ((g <int>))) | ((_ divisible <number>) <int>) | (str.<= <str> <str>) | \
(fp.isNaN <float>) | (= <array> <array>) | (ite <bool> <bool> <bool>)
int: i | 0 | 1 | (- 1) | 18446744073709551616 | (+ <int> <int>) | (* <int> <int>) | (- <int>) | \
(div <int> <int>) | (mod <int> <int>) | (abs <int>) | (ite <bool> <int> <int>) | (g <int>) | \
(select <array> <int>) | (str.len <str>) | (str.to_int <str>) | \
(str.indexof <str> <str> <int>) | (ubv_to_int <bits>) | (sbv_to_int <bits>) | (to_int <real>) | \
(str.to_code <str>) | n | h
real: r | 0.5 | (/ <real> <real>) | (+ <real> <int>) | (to_real <int>) | (fp.to_real <float>) | \
(/ 1 3)
bits: b | #x0f | #b00000001 | (_ bv255 8) | (bvadd <bits> <bits>) | (bvmul <bits> <bits>) | \
(bvnot <bits>) | (bvudiv <bits> <bits>) | (bvshl <bits> <bits>) | \
((_ extract <number> <number>) <bits>) | ((_ zero_extend <number>) <bits>) | \
((_ repeat <number>) <bits>) | (concat <bits> <bits>) | ((_ int_to_bv <number>) <int>) | \
((_ fp.to_ubv <number>) RNE <float>) | ((_ rotate_left <number>) <bits>) | \
(bvsmod <bits> <bits>) | (ite <bool> <bits> <bits>)
float: f | (fp #b0 #x7f #b00000000000000000000000) | (_ +oo 8 24) | (_ NaN <number> <number>) | \
(fp.add RTZ <float> <float>) | (fp.mul RNE <float> <float>) | (fp.div RNA <float> <float>) | \
(fp.rem <float> <float>) | (fp.sqrt RNE <float>) | (fp.fma RTP <float> <float> <float>) | \
((_ to_fp 8 24) RNE <real>) | ((_ to_fp <number> <number>) RNE <float>) | \
((_ to_fp 8 24) RTN <bits>) | (fp.min <float> <float>) | (fp.roundToIntegral RNE <float>) | \
(fp.neg <float>)
str: s | <string> | (str.++ <str> <str>) | (str.replace <str> <str> <str>) | \
(str.replace_all <str> <str> <str>) | (str.at <str> <int>) | (str.substr <str> <int> <int>) | \
(str.from_int <int>) | (str.from_code <int>) | (str.replace_re_all <str> <re> <str>) | \
(_ char #x41)
re: re.all | re.none | (str.to_re <str>) | (re.range <str> <str>) | (re.++ <re> <re>) | \
(re.* <re>) | (re.comp <re>) | (re.inter <re> <re>) | ((_ re.loop <number> <number>) <re>) | \
((_ re.^ <number>) <re>)
array: a | (store <array> <int> <int>) | ((as const (Array Int Int)) <int>) | \
(ite <bool> <array> <array>)
""")
