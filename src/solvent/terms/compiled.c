/* The compiled core: what the modules `terms.term`, `terms.booleans` and `vm` do most often.
 *
 * The Python code of these modules is the reference, and stays in use: this file finds terms in the
 * table, makes new ones, and decides that no rule applies.  Wherever it cannot decide that, it
 * calls the rule or the function of the reference.  It holds no copy of a rule.
 *
 * - Terms are structs with their arguments inline, in a table with open addressing.  The table owns
 *   them; `sweep` drops those that nobody else refers to, as `terms.memory` says.
 * - Terms have no header of the garbage collector: their arguments exist before them, so that they
 *   form no cycles.
 * - Everything runs under the global interpreter lock.  What may run Python code in the middle of
 *   an operation on the table (comparing values, housekeeping) is followed by a look at
 *   `table.version`.
 * - Slots of classes that are written in Python are read by their offsets, which the member
 *   descriptors of the classes tell.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>
#include <structmember.h>
#include <time.h>

/* Says which sources of Python this fits to: as in `terms.core`. */
#define REVISION 12

#ifdef Py_GIL_DISABLED
#error "the compiled core needs the global interpreter lock; the Python one runs without it"
#endif

/* --- terms ------------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    PyObject *op;
    PyObject *sort;
    Py_ssize_t id;
    uint32_t hash;
    uint32_t interned : 1;
    uint32_t count : 31;
    PyObject *args[1];
} Node;

#define NODE_SIZE(count) (offsetof(Node, args) + (size_t)(count) * sizeof(PyObject *))

static void node_dealloc(PyObject *self);

/* How terms are released is also what they are recognised by; see `core_adopt`. */
#define IS_NODE_CLASS(type) ((type)->tp_dealloc == node_dealloc)
#define IS_NODE(object) IS_NODE_CLASS(Py_TYPE(object))
#define AS_NODE(object) ((Node *)(object))

static PyObject *
node_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyErr_Format(PyExc_TypeError, "a %s is made by operators and sorts", type->tp_name);
    return NULL;
}

/* Terms that are not in the table may hang on each other in long chains: what the release of one
 * releases waits in a list, so that the depth of a term is no depth of recursion. */
static Node *dying = NULL;
static int releasing = 0;

static void
node_dealloc(PyObject *self)
{
    Node *node = AS_NODE(self);
    Py_CLEAR(node->sort);
    node->sort = (PyObject *)dying;
    dying = node;
    if (releasing) {
        return;
    }
    releasing = 1;
    while ((node = dying) != NULL) {
        dying = (Node *)node->sort;
        Py_XDECREF(node->op);
        for (uint32_t place = 0; place < node->count; place++) {
            Py_XDECREF(node->args[place]);
        }
        PyTypeObject *type = Py_TYPE(node);
        PyObject_Free(node);
        Py_DECREF(type);
    }
    releasing = 0;
}

static PyObject *
node_key(PyObject *self, void *closure)
{
    Node *node = AS_NODE(self);
    PyObject *key = PyTuple_New((Py_ssize_t)node->count + 1);
    if (key == NULL) {
        return NULL;
    }
    PyTuple_SET_ITEM(key, 0, Py_NewRef(node->op));
    for (uint32_t place = 0; place < node->count; place++) {
        PyTuple_SET_ITEM(key, place + 1, Py_NewRef(node->args[place]));
    }
    return key;
}

static PyObject *
node_sizeof(PyObject *self, PyObject *unused)
{
    return PyLong_FromSize_t(NODE_SIZE(AS_NODE(self)->count));
}

static PyMemberDef node_members[] = {
    {"op", T_OBJECT_EX, offsetof(Node, op), READONLY, NULL},
    {"sort", T_OBJECT_EX, offsetof(Node, sort), READONLY, NULL},
    {"id", T_PYSSIZET, offsetof(Node, id), READONLY, NULL},
    {NULL},
};

static PyGetSetDef node_getset[] = {
    {"key", node_key, NULL, "The operator and the arguments.", NULL},
    {NULL},
};

static PyMethodDef node_methods[] = {
    {"__sizeof__", node_sizeof, METH_NOARGS, NULL},
    {NULL},
};

static PyTypeObject NodeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Node",
    .tp_doc = "A term: an operator, a sort, a number and arguments.",
    .tp_basicsize = offsetof(Node, args),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = node_new,
    .tp_dealloc = node_dealloc,
    .tp_members = node_members,
    .tp_getset = node_getset,
    .tp_methods = node_methods,
};

/* Make a class that is written in Python one of terms.  Python gives every such class the
 * collector's header, which terms do not need: they cannot be part of a cycle.  It must not have
 * instances yet. */
static PyObject *
core_adopt(PyObject *module, PyObject *cls)
{
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, &NodeType)
        || ((PyTypeObject *)cls)->tp_basicsize != NodeType.tp_basicsize
        || ((PyTypeObject *)cls)->tp_dictoffset != 0) {
        PyErr_Format(PyExc_TypeError, "%R is no class of terms without slots of its own", cls);
        return NULL;
    }
    PyTypeObject *type = (PyTypeObject *)cls;
    type->tp_flags &= ~Py_TPFLAGS_HAVE_GC;
    type->tp_traverse = NULL;
    type->tp_clear = NULL;
    type->tp_free = PyObject_Free;
    type->tp_dealloc = node_dealloc;
    Py_RETURN_NONE;
}

/* --- the table -------------------------------------------------------------------------------- */

/* Offsets of slots, and objects that the fast paths compare with; `setup` sets them. */
static struct {
    Py_ssize_t op_base, sort_term_class, sort_ite_op, value_sort, value_bits, numerator, denominator;
    PyObject *not_op, *constant_op, *bool_sort, *int_sort, *real_sort, *coerce_bits;
    PyTypeObject *op_type, *sort_type, *bits_sort_type, *bool_term, *int_term, *bits, *fraction;
    PyObject *bool_ite_rules, *ite_rules;
    PyObject *ite_reference, *merge_reference, *members_reference;
    struct Constructor *and_constructor, *not_constructor;
} known;

#define SLOT(object, offset) (*(PyObject **)((char *)(object) + (offset)))

static struct {
    Node **slots;
    size_t mask;
    size_t used;
    /* Changes with every change of the table. */
    size_t version;
} table;

#define SMALLEST_TABLE 4096

static inline uint64_t
mixed_in(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 32);
}

/* The hash of a value: its own, but that those of bitvectors and fractions need no Python code. */
static Py_hash_t
hash_of_value(PyObject *value)
{
    if (known.bits != NULL && Py_IS_TYPE(value, known.bits) && SLOT(value, known.value_bits)) {
        return PyObject_Hash(SLOT(value, known.value_bits));
    }
    if (known.fraction == NULL || !Py_IS_TYPE(value, known.fraction)) {
        return PyObject_Hash(value);
    }
    PyObject *above = SLOT(value, known.numerator), *below = SLOT(value, known.denominator);
    if (above == NULL || below == NULL || !PyLong_CheckExact(above) || !PyLong_CheckExact(below)) {
        return PyObject_Hash(value);
    }
    /* Whole numbers are equal to ints; no other fraction stands where a value of another class does. */
    Py_hash_t first = PyObject_Hash(above), second = PyObject_Hash(below);
    return second == 1 ? first : (Py_hash_t)(mixed_in((uint64_t)first, (uint64_t)second) >> 1);
}

/* The hash of an operator and arguments: terms by identity, values by their own; -1 is an error. */
static int
hash_of(PyObject *op, PyObject *const *args, Py_ssize_t count, uint32_t *result)
{
    uint64_t hash = mixed_in(0, (uintptr_t)op >> 4);
    for (Py_ssize_t place = 0; place < count; place++) {
        PyObject *arg = args[place];
        if (IS_NODE(arg)) {
            hash = mixed_in(hash, (uintptr_t)arg >> 4);
        }
        else {
            Py_hash_t value = hash_of_value(arg);
            if (value == -1 && PyErr_Occurred()) {
                return -1;
            }
            hash = mixed_in(hash, (uint64_t)value);
        }
    }
    *result = (uint32_t)hash;
    return 0;
}

/* Whether two operands are one term or equal values; -1 is an error. */
static int
same_operand(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    if (IS_NODE(a) || IS_NODE(b)) {
        return 0;
    }
    if (known.bits != NULL && Py_IS_TYPE(a, known.bits) && Py_IS_TYPE(b, known.bits)) {
        return SLOT(a, known.value_sort) == SLOT(b, known.value_sort)
                   ? PyObject_RichCompareBool(SLOT(a, known.value_bits), SLOT(b, known.value_bits), Py_EQ)
                   : 0;
    }
    return PyObject_RichCompareBool(a, b, Py_EQ);
}

static int
has_args(Node *node, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t place = 0;
    while (place < count && node->args[place] == args[place]) {
        place++;
    }
    if (place == count) {
        return 1;
    }
    /* Comparing values may run code that sweeps: the term must outlive all of it. */
    int same = 1;
    Py_INCREF(node);
    for (; same == 1 && place < count; place++) {
        same = same_operand(node->args[place], args[place]);
    }
    Py_DECREF(node);
    return same;
}

/* The term in the table (borrowed), or NULL, perhaps with an error. */
static Node *
find(PyObject *op, PyObject *const *args, Py_ssize_t count, uint32_t hash)
{
    Node *node;
    size_t version = table.version;
    size_t slot = hash & table.mask;
    while ((node = table.slots[slot]) != NULL) {
        if (node->hash == hash && node->op == op && (Py_ssize_t)node->count == count) {
            int same = has_args(node, args, count);
            if (same < 0) {
                return NULL;
            }
            if (table.version != version) {
                /* Other code ran while values were compared. */
                return find(op, args, count, hash);
            }
            if (same) {
                return node;
            }
        }
        slot = (slot + 1) & table.mask;
    }
    return NULL;
}

static int
resize(size_t size)
{
    Node **slots = PyMem_Calloc(size, sizeof(Node *));
    if (slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    size_t mask = size - 1;
    if (table.slots != NULL) {
        for (size_t old = 0; old <= table.mask; old++) {
            Node *node = table.slots[old];
            if (node != NULL) {
                size_t slot = node->hash & mask;
                while (slots[slot] != NULL) {
                    slot = (slot + 1) & mask;
                }
                slots[slot] = node;
            }
        }
        PyMem_Free(table.slots);
    }
    table.slots = slots;
    table.mask = mask;
    table.version++;
    return 0;
}

static int
insert(Node *node)
{
    if (3 * (table.used + 1) > 2 * (table.mask + 1) && resize(2 * (table.mask + 1)) < 0) {
        return -1;
    }
    size_t slot = node->hash & table.mask;
    while (table.slots[slot] != NULL) {
        slot = (slot + 1) & table.mask;
    }
    table.slots[slot] = node;
    table.used++;
    table.version++;
    node->interned = 1;
    Py_INCREF(node);
    return 0;
}

/* Take a term out of the table; its reference is the caller's. */
static void
take_out(Node *node)
{
    size_t mask = table.mask;
    size_t hole = node->hash & mask;
    while (table.slots[hole] != node) {
        hole = (hole + 1) & mask;
    }
    /* What was pushed on by the term moves back. */
    size_t slot = hole;
    for (;;) {
        slot = (slot + 1) & mask;
        Node *next = table.slots[slot];
        if (next == NULL) {
            break;
        }
        if (((slot - (next->hash & mask)) & mask) >= ((slot - hole) & mask)) {
            table.slots[hole] = next;
            hole = slot;
        }
    }
    table.slots[hole] = NULL;
    table.used--;
    table.version++;
    node->interned = 0;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static struct {
    Py_ssize_t next;
    Py_ssize_t until_visit;
    Py_ssize_t chunk;
    /* The housekeeping of `terms.memory`. */
    PyObject *visit;
} numbers;

static Py_ssize_t
take_number(void)
{
    if (numbers.visit != NULL && --numbers.until_visit <= 0) {
        numbers.until_visit = numbers.chunk;
        PyObject *result = PyObject_CallNoArgs(numbers.visit);
        if (result == NULL) {
            return -1;
        }
        Py_DECREF(result);
    }
    return numbers.next++;
}

static Node *
allocate(PyTypeObject *cls, PyObject *op, PyObject *sort, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t id = take_number();
    if (id < 0) {
        return NULL;
    }
    Node *node = PyObject_Malloc(NODE_SIZE(count));
    if (node == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    PyObject_Init((PyObject *)node, cls);
    node->op = Py_NewRef(op);
    node->sort = Py_NewRef(sort);
    node->id = id;
    node->hash = 0;
    node->interned = 0;
    node->count = (uint32_t)count;
    for (Py_ssize_t place = 0; place < count; place++) {
        node->args[place] = Py_NewRef(args[place]);
    }
    return node;
}

/* A new term for a key that was not in the table when it had a version. */
static PyObject *
make(PyTypeObject *cls, PyObject *op, PyObject *sort, PyObject *const *args, Py_ssize_t count,
     uint32_t hash, size_t version)
{
    Node *node = allocate(cls, op, sort, args, count);
    if (node == NULL) {
        return NULL;
    }
    if (table.version != version) {
        /* A rule, the housekeeping or another thread was at work. */
        Node *found = find(op, args, count, hash);
        if (found != NULL || PyErr_Occurred()) {
            Py_XINCREF(found);
            Py_DECREF(node);
            return (PyObject *)found;
        }
    }
    node->hash = hash;
    if (insert(node) < 0) {
        Py_DECREF(node);
        return NULL;
    }
    return (PyObject *)node;
}

/* The term of a key, found or made. */
static PyObject *
interned(PyTypeObject *cls, PyObject *op, PyObject *sort, PyObject *const *args, Py_ssize_t count)
{
    uint32_t hash;
    if (hash_of(op, args, count, &hash) < 0) {
        return NULL;
    }
    Node *found = find(op, args, count, hash);
    if (found != NULL || PyErr_Occurred()) {
        Py_XINCREF(found);
        return (PyObject *)found;
    }
    return make(cls, op, sort, args, count, hash, table.version);
}

static int is_op(PyObject *object);
static int is_sort(PyObject *object);

static int
are_head(PyObject *const *args, Py_ssize_t count)
{
    if (count < 3 || !PyType_Check(args[0]) || !IS_NODE_CLASS((PyTypeObject *)args[0])
        || !is_op(args[1]) || !is_sort(args[2])) {
        PyErr_SetString(PyExc_TypeError, "a class of terms, an operator and a sort are needed");
        return 0;
    }
    return 1;
}

static PyObject *
core_node(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (!are_head(args, count)) {
        return NULL;
    }
    return interned((PyTypeObject *)args[0], args[1], args[2], args + 3, count - 3);
}

static PyObject *
core_added(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (!are_head(args, count) || count != 4 || !PyTuple_Check(args[3])
        || PyTuple_GET_SIZE(args[3]) == 0) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "the key of a term is a tuple");
        }
        return NULL;
    }
    return interned((PyTypeObject *)args[0], args[1], args[2], &PyTuple_GET_ITEM(args[3], 0) + 1,
                    PyTuple_GET_SIZE(args[3]) - 1);
}

static PyObject *
core_unshared(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (!are_head(args, count)) {
        return NULL;
    }
    return (PyObject *)allocate((PyTypeObject *)args[0], args[1], args[2], args + 3, count - 3);
}

static PyObject *
core_lookup(PyObject *module, PyObject *key)
{
    if (!PyTuple_Check(key) || PyTuple_GET_SIZE(key) == 0) {
        PyErr_SetString(PyExc_TypeError, "the key of a term is a tuple");
        return NULL;
    }
    PyObject *const *items = &PyTuple_GET_ITEM(key, 0);
    Py_ssize_t count = PyTuple_GET_SIZE(key) - 1;
    uint32_t hash;
    if (hash_of(items[0], items + 1, count, &hash) < 0) {
        return NULL;
    }
    Node *found = find(items[0], items + 1, count, hash);
    if (found == NULL && PyErr_Occurred()) {
        return NULL;
    }
    return Py_NewRef(found == NULL ? Py_None : (PyObject *)found);
}

static PyObject *
core_next_id(PyObject *module, PyObject *unused)
{
    Py_ssize_t id = take_number();
    return id < 0 ? NULL : PyLong_FromSsize_t(id);
}

static PyObject *
core_live(PyObject *module, PyObject *unused)
{
    return PyLong_FromSize_t(table.used);
}

/* Drop the terms that only the table refers to, and what only they refer to. */
static PyObject *
core_sweep(PyObject *module, PyObject *unused)
{
    static int sweeping = 0;
    if (sweeping) {
        return PyLong_FromLong(0);
    }
    size_t dead = 0, removed = 0;
    /* A term is in the list at most once, as it comes in when its last other reference goes; one
     * that other code makes meanwhile may find no room, and waits for the next sweep. */
    size_t room = table.used;
    Node **list = PyMem_Malloc((room + 1) * sizeof(Node *));
    if (list == NULL) {
        return PyErr_NoMemory();
    }
    for (size_t slot = 0; slot <= table.mask; slot++) {
        if (table.slots[slot] != NULL && Py_REFCNT(table.slots[slot]) == 1) {
            list[dead++] = table.slots[slot];
        }
    }
    sweeping = 1;
    while (dead > 0) {
        Node *node = list[--dead];
        if (Py_REFCNT(node) != 1) {
            continue;
        }
        take_out(node);
        removed++;
        for (uint32_t place = 0; place < node->count; place++) {
            PyObject *arg = node->args[place];
            node->args[place] = NULL;
            int watched = IS_NODE(arg) && AS_NODE(arg)->interned;
            Py_DECREF(arg);
            if (watched && Py_REFCNT(arg) == 1 && dead < room) {
                list[dead++] = AS_NODE(arg);
            }
        }
        Py_DECREF(node);
    }
    sweeping = 0;
    PyMem_Free(list);
    size_t size = table.mask + 1;
    while (size > SMALLEST_TABLE && 4 * table.used < size) {
        size /= 2;
    }
    if (size <= table.mask && resize(size) < 0) {
        return NULL;
    }
    return PyLong_FromSize_t(removed);
}

/* --- what Python's classes hold --------------------------------------------------------------- */

static int
is_op(PyObject *object)
{
    return known.op_type != NULL && PyObject_TypeCheck(object, known.op_type);
}

static int
is_sort(PyObject *object)
{
    return known.sort_type != NULL && PyObject_TypeCheck(object, known.sort_type);
}

/* The offset of a slot of a class that is written in Python. */
static Py_ssize_t
offset_of(PyObject *cls, const char *name)
{
    PyObject *found = PyObject_GetAttrString(cls, name);
    if (found == NULL) {
        return -1;
    }
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(found, &PyMemberDescr_Type)) {
        offset = ((PyMemberDescrObject *)found)->d_member->offset;
    }
    else {
        PyErr_Format(PyExc_TypeError, "%s is no slot of %R", name, cls);
    }
    Py_DECREF(found);
    return offset;
}

static inline PyObject *
base_of(Node *node)
{
    return SLOT(node->op, known.op_base);
}

/* --- constructors ----------------------------------------------------------------------------- */

typedef enum { COMMUTATIVE, BINARY, UNARY } Kind;

typedef struct Constructor {
    PyObject_HEAD
    vectorcallfunc call;
    Kind kind;
    PyObject *op;
    /* The sort of the results, or None where it is that of the operands. */
    PyObject *sort;
    /* The reference, for operands that are not two terms of one sort. */
    PyObject *mixed;
    /* The rules by head, for each set of preconditions that hold; those of the right operand. */
    PyObject *rules[4];
    PyObject *right_rules;
    PyObject *same_rules;
    /* Those for a value beside a term, or after it; those for one before it. */
    PyObject *constant_rules;
    PyObject *left_constant_rules;
    /* What it takes of values whose sort is not that of ints, as `terms.term` numbers it. */
    int takes;
} Constructor;

#define TAKES_FRACTIONS 1
#define TAKES_BITS_FIRST 2

/* The bits of preconditions, as `terms.rules` declares them. */
#define SHARED 1
#define VALUE 2

static inline Node *
without_negation(Node *node)
{
    /* What is built without rules may be the negation of a value. */
    while (node->op == known.not_op && IS_NODE(node->args[0])) {
        node = AS_NODE(node->args[0]);
    }
    return node;
}

/* As in `terms.rules`. */
#define MOST_ARGUMENTS 3
#define MOST_PARTS (MOST_ARGUMENTS + 1)

/* A term without its negations, and its arguments without theirs; MOST_PARTS + 1 for more. */
static int
parts_of(Node *node, Node **parts, int *has_value)
{
    node = without_negation(node);
    int count = 0;
    parts[count++] = node;
    if (node->op == known.constant_op) {
        return count;
    }
    if (node->count > MOST_ARGUMENTS) {
        return MOST_PARTS + 1;
    }
    for (uint32_t place = 0; place < node->count; place++) {
        PyObject *arg = node->args[place];
        if (IS_NODE(arg)) {
            parts[count++] = without_negation(AS_NODE(arg));
        }
        else {
            *has_value = 1;
        }
    }
    return count;
}

/* Which preconditions of rules hold for two operands. */
static int
conditions_of(Node *a, Node *b)
{
    Node *first[MOST_PARTS], *second[MOST_PARTS];
    int has_value = 0;
    int count_first = parts_of(a, first, &has_value);
    int count_second = parts_of(b, second, &has_value);
    if (count_first > MOST_PARTS || count_second > MOST_PARTS) {
        return SHARED | VALUE;
    }
    int result = has_value ? VALUE : 0;
    for (int i = 0; i < count_first; i++) {
        for (int j = 0; j < count_second; j++) {
            if (first[i] == second[j]) {
                return result | SHARED;
            }
        }
    }
    return result;
}

static PyObject *
core_conditions(PyObject *module, PyObject *args)
{
    PyObject *a, *b;
    if (!PyArg_ParseTuple(args, "O!O!", &NodeType, &a, &NodeType, &b)) {
        return NULL;
    }
    return PyLong_FromLong(conditions_of(AS_NODE(a), AS_NODE(b)));
}

/* The result of the first rule that applies, or NULL, perhaps with an error. */
static PyObject *
first_result(PyObject *rules, PyObject *const *operands, size_t count)
{
    PyObject *result = NULL;
    /* A rule may lead to code that declares or takes away rules. */
    Py_INCREF(rules);
    for (Py_ssize_t place = 0; place < PyList_GET_SIZE(rules); place++) {
        PyObject *rule = Py_NewRef(PyList_GET_ITEM(rules, place));
        result = PyObject_Vectorcall(rule, operands, count, NULL);
        Py_DECREF(rule);
        if (result != Py_None) {
            break;
        }
        Py_CLEAR(result);
    }
    Py_DECREF(rules);
    return result;
}

static PyObject *
by_head(PyObject *heads, Node *operand, PyObject *const *operands, size_t count)
{
    if (PyDict_GET_SIZE(heads) == 0) {
        return NULL;
    }
    PyObject *rules = PyDict_GetItemWithError(heads, base_of(operand));
    return rules == NULL ? NULL : first_result(rules, operands, count);
}

static inline PyTypeObject *
class_of_sort(PyObject *sort)
{
    return (PyTypeObject *)SLOT(sort, known.sort_term_class);
}

static inline PyObject *
make_result(Constructor *self, PyObject *const *args, Py_ssize_t count, uint32_t hash,
            size_t version)
{
    PyObject *sort = self->sort;
    if (sort == Py_None) {
        sort = AS_NODE(args[0])->sort;
    }
    return make(class_of_sort(sort), self->op, sort, args, count, hash, version);
}

/* A value as one of a sort (a new reference), if that is easily seen; NULL without error: ask the
 * reference.  What `same_sort` of `terms.term` says first of all. */
static PyObject *
value_of_sort(Constructor *self, PyObject *sort, PyObject *value, int is_first)
{
    if (PyLong_CheckExact(value)) {
        if (sort == known.int_sort) {
            return Py_NewRef(value);
        }
        if (!is_first && Py_IS_TYPE(sort, known.bits_sort_type) && known.coerce_bits != NULL) {
            PyObject *args[2] = {sort, value};
            return PyObject_Vectorcall(known.coerce_bits, args, 2, NULL);
        }
        return NULL;
    }
    if (Py_IS_TYPE(value, known.bits)) {
        return SLOT(value, known.value_sort) == sort && (!is_first || self->takes & TAKES_BITS_FIRST)
                   ? Py_NewRef(value)
                   : NULL;
    }
    return Py_IS_TYPE(value, known.fraction) && sort == known.real_sort && !is_first
                   && self->takes & TAKES_FRACTIONS
               ? Py_NewRef(value)
               : NULL;
}

/* The result of the first rule for one of some heads that applies, or NULL, perhaps with an error. */
static PyObject *
result_for_value(PyObject *rules, PyObject *const *heads, int count, PyObject *const *args)
{
    for (int place = 0; place < count && PyDict_GET_SIZE(rules) != 0; place++) {
        PyObject *found = PyDict_GetItemWithError(rules, heads[place]);
        PyObject *result = found == NULL ? NULL : first_result(found, args, 2);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    return NULL;
}

/* The term of a value and a term; NULL without error: ask the reference. */
static PyObject *
construct_mixed(Constructor *self, PyObject *a, PyObject *b)
{
    int is_first = !IS_NODE(a);
    PyObject *term = is_first ? b : a, *given = is_first ? a : b;
    if (!IS_NODE(term) || IS_NODE(given)) {
        return NULL;
    }
    PyObject *sort = AS_NODE(term)->sort;
    PyObject *value = value_of_sort(self, sort, given, is_first);
    if (value == NULL) {
        return NULL;
    }
    int is_swapped = is_first && self->kind == BINARY;
    PyObject *args[2] = {is_swapped ? value : term, is_swapped ? term : value};
    PyObject *result = NULL;
    uint32_t hash = 0;
    if (hash_of(self->op, args, 2, &hash) == 0) {
        result = Py_XNewRef((PyObject *)find(self->op, args, 2, hash));
    }
    size_t version = table.version;
    if (result == NULL && !PyErr_Occurred()) {
        PyObject *heads[3] = {Py_None, base_of(AS_NODE(term)), base_of(AS_NODE(term))};
        if (self->kind == COMMUTATIVE) {
            heads[1] = (PyObject *)Py_TYPE(sort);
        }
        result = result_for_value(is_swapped ? self->left_constant_rules : self->constant_rules,
                                  heads, self->kind == COMMUTATIVE ? 3 : 2, args);
    }
    if (result == NULL && !PyErr_Occurred()) {
        PyObject *result_sort = self->sort == Py_None ? sort : self->sort;
        result = make(class_of_sort(result_sort), self->op, result_sort, args, 2, hash, version);
    }
    Py_DECREF(value);
    return result;
}

static PyObject *
construct_two(Constructor *self, PyObject *a, PyObject *b)
{
    if (Py_TYPE(a) != Py_TYPE(b) || !IS_NODE(a) || AS_NODE(a)->sort != AS_NODE(b)->sort) {
        PyObject *found = construct_mixed(self, a, b);
        if (found != NULL || PyErr_Occurred()) {
            return found;
        }
        PyObject *operands[2] = {a, b};
        return PyObject_Vectorcall(self->mixed, operands, 2, NULL);
    }
    if (self->kind == COMMUTATIVE && AS_NODE(a)->id > AS_NODE(b)->id) {
        PyObject *swapped = a;
        a = b;
        b = swapped;
    }
    PyObject *args[2] = {a, b};
    uint32_t hash;
    if (hash_of(self->op, args, 2, &hash) < 0) {
        return NULL;
    }
    Node *found = find(self->op, args, 2, hash);
    if (found != NULL || PyErr_Occurred()) {
        return Py_XNewRef((PyObject *)found);
    }
    size_t version = table.version;
    PyObject *result;
    if (a == b) {
        result = first_result(self->same_rules, args, 2);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    if (PyDict_GET_SIZE(self->rules[SHARED | VALUE]) != 0) {
        PyObject *heads = self->rules[conditions_of(AS_NODE(a), AS_NODE(b))];
        result = by_head(heads, AS_NODE(a), args, 2);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
        if (self->kind == COMMUTATIVE) {
            PyObject *swapped[2] = {b, a};
            result = by_head(heads, AS_NODE(b), swapped, 2);
            if (result != NULL || PyErr_Occurred()) {
                return result;
            }
        }
    }
    if (self->kind == BINARY) {
        result = by_head(self->right_rules, AS_NODE(b), args, 2);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    return make_result(self, args, 2, hash, version);
}

static PyObject *
construct_one(Constructor *self, PyObject *a)
{
    if (!IS_NODE(a)) {
        return PyObject_CallOneArg(self->mixed, a);
    }
    uint32_t hash;
    if (hash_of(self->op, &a, 1, &hash) < 0) {
        return NULL;
    }
    Node *found = find(self->op, &a, 1, hash);
    if (found != NULL || PyErr_Occurred()) {
        return Py_XNewRef((PyObject *)found);
    }
    size_t version = table.version;
    PyObject *result = by_head(self->rules[SHARED | VALUE], AS_NODE(a), &a, 1);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    return make_result(self, &a, 1, hash, version);
}

static PyObject *
constructor_call(PyObject *self, PyObject *const *args, size_t flags, PyObject *names)
{
    Constructor *constructor = (Constructor *)self;
    Py_ssize_t wanted = constructor->kind == UNARY ? 1 : 2;
    if (PyVectorcall_NARGS(flags) != wanted || names != NULL) {
        PyErr_Format(PyExc_TypeError, "%S takes %zd operands", constructor->op, wanted);
        return NULL;
    }
    if (wanted == 1) {
        return construct_one(constructor, args[0]);
    }
    return construct_two(constructor, args[0], args[1]);
}

static PyObject *
constructor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"kind", "op", "sort", "mixed", "takes", NULL};
    int kind, takes = 0;
    PyObject *op, *sort, *mixed;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iOOO|i", names, &kind, &op, &sort, &mixed,
                                     &takes)) {
        return NULL;
    }
    if (!is_op(op) || !(sort == Py_None || is_sort(sort))) {
        PyErr_SetString(PyExc_TypeError, "a constructor needs an operator, and a sort or None");
        return NULL;
    }
    Constructor *self = (Constructor *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->call = constructor_call;
    self->kind = kind;
    self->op = Py_NewRef(op);
    self->sort = Py_NewRef(sort);
    self->mixed = Py_NewRef(mixed);
    self->right_rules = PyObject_GetAttrString(op, "right_rules");
    self->same_rules = PyObject_GetAttrString(op, "same_rules");
    self->constant_rules = PyObject_GetAttrString(op, "constant_rules");
    self->left_constant_rules = PyObject_GetAttrString(op, "left_constant_rules");
    self->takes = takes;
    PyObject *tables = PyObject_GetAttrString(op, "tables");
    if (tables == NULL || self->right_rules == NULL || self->same_rules == NULL
        || self->constant_rules == NULL || self->left_constant_rules == NULL
        || !PyDict_Check(self->constant_rules) || !PyDict_Check(self->left_constant_rules)
        || !PyTuple_Check(tables) || PyTuple_GET_SIZE(tables) != 4
        || !PyDict_Check(self->right_rules) || !PyList_Check(self->same_rules)) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, "an operator has four tables of rules");
        }
        Py_XDECREF(tables);
        Py_DECREF(self);
        return NULL;
    }
    for (int conditions = 0; conditions < 4; conditions++) {
        self->rules[conditions] = Py_NewRef(PyTuple_GET_ITEM(tables, conditions));
    }
    Py_DECREF(tables);
    return (PyObject *)self;
}

static int
constructor_traverse(PyObject *object, visitproc visit, void *arg)
{
    Constructor *self = (Constructor *)object;
    Py_VISIT(self->op);
    Py_VISIT(self->sort);
    Py_VISIT(self->mixed);
    for (int conditions = 0; conditions < 4; conditions++) {
        Py_VISIT(self->rules[conditions]);
    }
    Py_VISIT(self->right_rules);
    Py_VISIT(self->same_rules);
    Py_VISIT(self->constant_rules);
    Py_VISIT(self->left_constant_rules);
    return 0;
}

static int
constructor_clear(PyObject *object)
{
    Constructor *self = (Constructor *)object;
    Py_CLEAR(self->op);
    Py_CLEAR(self->sort);
    Py_CLEAR(self->mixed);
    for (int conditions = 0; conditions < 4; conditions++) {
        Py_CLEAR(self->rules[conditions]);
    }
    Py_CLEAR(self->right_rules);
    Py_CLEAR(self->same_rules);
    Py_CLEAR(self->constant_rules);
    Py_CLEAR(self->left_constant_rules);
    return 0;
}

static void
constructor_dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    constructor_clear(object);
    Py_TYPE(object)->tp_free(object);
}

/* As a function in the body of a class is, a constructor is a method. */
static PyObject *
as_method(PyObject *self, PyObject *owner, PyObject *type)
{
    return owner == NULL || owner == Py_None ? Py_NewRef(self) : PyMethod_New(self, owner);
}

static PyTypeObject ConstructorType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Constructor",
    .tp_doc = "The constructor of an operator.",
    .tp_basicsize = sizeof(Constructor),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL
                | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_new = constructor_new,
    .tp_dealloc = constructor_dealloc,
    .tp_traverse = constructor_traverse,
    .tp_clear = constructor_clear,
    .tp_vectorcall_offset = offsetof(Constructor, call),
    .tp_call = PyVectorcall_Call,
    .tp_descr_get = as_method,
};

/* --- fast paths of functions ------------------------------------------------------------------ */

struct Fast;
typedef PyObject *(*Path)(struct Fast *self, PyObject *const *args, Py_ssize_t count);

/* A function of the reference with a fast path: everything else about it is the reference's. */
typedef struct Fast {
    PyObject_HEAD
    vectorcallfunc call;
    Path path;
    PyObject *reference;
    /* The constructor that is behind it, or NULL. */
    Constructor *constructor;
    /* The function that it mostly is, or NULL. */
    PyObject *inner;
} Fast;

static PyTypeObject FastType;

static PyObject *
fast_call(PyObject *self, PyObject *const *args, size_t flags, PyObject *names)
{
    Fast *fast = (Fast *)self;
    if (names == NULL) {
        PyObject *result = fast->path(fast, args, PyVectorcall_NARGS(flags));
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    return PyObject_Vectorcall(fast->reference, args, flags, names);
}

static inline int
is_truth(PyObject *object)
{
    return object == Py_True || object == Py_False;
}

static inline int
is_guard(PyObject *object)
{
    return Py_IS_TYPE(object, known.bool_term);
}

/* `and_` and `or_` of two conditions; `unit` is what changes nothing. */
static inline PyObject *
connected(Fast *self, PyObject *const *args, Py_ssize_t count, PyObject *unit)
{
    if (count != 2) {
        return NULL;
    }
    PyObject *a = args[0], *b = args[1];
    if (is_guard(a)) {
        if (is_guard(b)) {
            return construct_two(self->constructor, a, b);
        }
        return is_truth(b) ? Py_NewRef(b == unit ? a : b) : NULL;
    }
    if (is_truth(a) && (is_truth(b) || is_guard(b))) {
        return Py_NewRef(a == unit ? b : a);
    }
    return NULL;
}

static PyObject *
fast_and(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    return connected(self, args, count, Py_True);
}

static PyObject *
fast_or(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    return connected(self, args, count, Py_False);
}

static PyObject *
fast_not(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1) {
        return NULL;
    }
    if (is_guard(args[0])) {
        return construct_one(self->constructor, args[0]);
    }
    if (is_truth(args[0])) {
        return Py_NewRef(args[0] == Py_True ? Py_False : Py_True);
    }
    return NULL;
}

static PyObject *
fast_eq(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || Py_TYPE(args[0]) != Py_TYPE(args[1]) || !IS_NODE(args[0])
        || AS_NODE(args[0])->sort != AS_NODE(args[1])->sort) {
        return NULL;
    }
    return construct_two(self->constructor, args[0], args[1]);
}

/* Whether the rules on nested choices may apply: a common test, or a common branch. */
static int
is_promising(PyObject *op, PyObject *test, PyObject *a, PyObject *b)
{
    if (!IS_NODE(a) || AS_NODE(a)->op != op) {
        return 0;
    }
    PyObject **inner = AS_NODE(a)->args;
    if (inner[0] == test) {
        return 1;
    }
    int same = same_operand(inner[1], b);
    return same != 0 ? same : same_operand(inner[2], b);
}

/* `ite` for a symbolic test and operands of the sort; NULL without error: ask the reference.  The
 * rules are asked where what they look for may be there. */
static PyObject *
choose(PyObject *sort, PyObject *test, PyObject *a, PyObject *b)
{
    PyObject *op = SLOT(sort, known.sort_ite_op);
    if (op == NULL) {
        return NULL;
    }
    PyObject *args[3] = {test, a, b};
    uint32_t hash;
    if (hash_of(op, args, 3, &hash) < 0) {
        return NULL;
    }
    Node *found = find(op, args, 3, hash);
    if (found != NULL || PyErr_Occurred()) {
        return Py_XNewRef((PyObject *)found);
    }
    size_t version = table.version;
    if (AS_NODE(test)->op == known.not_op) {
        return NULL;
    }
    PyObject *operands[4] = {sort, test, a, b};
    PyObject *result = NULL;
    if (sort == known.bool_sort) {
        /* The rules on truth values need a value, or the test in a branch. */
        if (!IS_NODE(a) || !IS_NODE(b) || without_negation(AS_NODE(a)) == AS_NODE(test)
            || without_negation(AS_NODE(b)) == AS_NODE(test)) {
            result = first_result(known.bool_ite_rules, operands, 4);
        }
    }
    else if (same_operand(a, b) != 0) {
        return NULL;
    }
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    int promising = is_promising(op, test, a, b);
    if (promising == 0) {
        promising = is_promising(op, test, b, a);
    }
    if (promising != 0) {
        result = promising < 0 ? NULL : first_result(known.ite_rules, operands, 4);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    return make(class_of_sort(sort), op, sort, args, 3, hash, version);
}

/* The sort of two operands of a choice that need no coercion (borrowed), or NULL. */
static PyObject *
plain_sort(PyObject *a, PyObject *b)
{
    if (!IS_NODE(a)) {
        PyObject *swapped = a;
        a = b;
        b = swapped;
    }
    if (!IS_NODE(a)) {
        if (PyLong_CheckExact(a) && PyLong_CheckExact(b)) {
            return known.int_sort;
        }
        return is_truth(a) && is_truth(b) ? known.bool_sort : NULL;
    }
    PyObject *sort = AS_NODE(a)->sort;
    if (IS_NODE(b)) {
        return Py_TYPE(a) == Py_TYPE(b) && AS_NODE(b)->sort == sort ? sort : NULL;
    }
    if (PyLong_CheckExact(b)) {
        return sort == known.int_sort ? sort : NULL;
    }
    if (is_truth(b)) {
        return sort == known.bool_sort ? sort : NULL;
    }
    return Py_IS_TYPE(b, known.bits) && SLOT(b, known.value_sort) == sort ? sort : NULL;
}

static PyObject *
fast_ite(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3) {
        return NULL;
    }
    PyObject *test = args[0], *a = args[1], *b = args[2];
    if (is_truth(test)) {
        return Py_NewRef(test == Py_True ? a : b);
    }
    if (!is_guard(test)) {
        return NULL;
    }
    if (a == b) {
        return Py_NewRef(a);
    }
    PyObject *sort = plain_sort(a, b);
    return sort == NULL ? NULL : choose(sort, test, a, b);
}

static PyObject *
fast_ite_of_sort(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 4 || !is_guard(args[1]) || !is_sort(args[0])) {
        return NULL;
    }
    return choose(args[0], args[1], args[2], args[3]);
}

/* The choice, where the reference decides what the fast path does not. */
static PyObject *
chosen(PyObject *sort, PyObject *test, PyObject *a, PyObject *b)
{
    PyObject *result = choose(sort, test, a, b);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    PyObject *args[4] = {sort, test, a, b};
    return PyObject_Vectorcall(known.ite_reference, args, 4, NULL);
}

static PyObject *
fast_ites(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 4 || !is_guard(args[1]) || !is_sort(args[0])
        || !(PyTuple_CheckExact(args[2]) || PyList_CheckExact(args[2]))
        || !(PyTuple_CheckExact(args[3]) || PyList_CheckExact(args[3]))) {
        return NULL;
    }
    Py_ssize_t length = PySequence_Fast_GET_SIZE(args[2]);
    if (PySequence_Fast_GET_SIZE(args[3]) != length) {
        return NULL;
    }
    PyObject *result = PyList_New(length);
    if (result == NULL) {
        return NULL;
    }
    for (Py_ssize_t place = 0; place < length; place++) {
        /* Rules run other code, which may change a list. */
        if (PySequence_Fast_GET_SIZE(args[2]) != length
            || PySequence_Fast_GET_SIZE(args[3]) != length) {
            PyErr_SetString(PyExc_RuntimeError, "a list changed its length while it was merged");
            Py_DECREF(result);
            return NULL;
        }
        PyObject *a = Py_NewRef(PySequence_Fast_GET_ITEM(args[2], place));
        PyObject *b = Py_NewRef(PySequence_Fast_GET_ITEM(args[3], place));
        PyObject *item = a == b ? Py_NewRef(a) : chosen(args[0], args[1], a, b);
        Py_DECREF(a);
        Py_DECREF(b);
        if (item == NULL) {
            Py_DECREF(result);
            return NULL;
        }
        PyList_SET_ITEM(result, place, item);
    }
    return result;
}

/* --- merging ---------------------------------------------------------------------------------- */

/* The sort of truth values and of ints, symbolic or not (borrowed); NULL for other values. */
static inline PyObject *
primitive_sort(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    if (type == known.int_term || type == &PyLong_Type) {
        return known.int_sort;
    }
    return type == known.bool_term || type == &PyBool_Type ? known.bool_sort : NULL;
}

/* `choice` of two truth values or two ints. */
static PyObject *
merged_primitives(PyObject *sort, PyObject *c, PyObject *a, PyObject *b)
{
    if (!IS_NODE(a) && Py_TYPE(a) == Py_TYPE(b)) {
        int same = PyObject_RichCompareBool(a, b, Py_EQ);
        if (same != 0) {
            return same < 0 ? NULL : Py_NewRef(a);
        }
    }
    return chosen(sort, c, a, b);
}

static PyObject *merged_tuples(PyTypeObject *type, PyObject *c, PyObject *a, PyObject *b);

static PyObject *merged_apart(PyObject *c, PyObject *a, PyObject *b);

/* `merge`; NULL without error: ask the reference. */
static PyObject *
merged(PyObject *c, PyObject *a, PyObject *b)
{
    if (a == b || c == Py_True) {
        return Py_NewRef(a);
    }
    if (c == Py_False) {
        return Py_NewRef(b);
    }
    if (!is_guard(c)) {
        return NULL;
    }
    PyObject *sort = primitive_sort(a);
    if (sort != NULL && sort == primitive_sort(b)) {
        return merged_primitives(sort, c, a, b);
    }
    if (PyTuple_CheckExact(a) && PyTuple_CheckExact(b)
        && PyTuple_GET_SIZE(a) == PyTuple_GET_SIZE(b)) {
        return merged_tuples(&PyTuple_Type, c, a, b);
    }
    return merged_apart(c, a, b);
}

/* Merge two tuples of one length, element by element, into one of a type. */
static PyObject *
merged_tuples(PyTypeObject *type, PyObject *c, PyObject *a, PyObject *b)
{
    if (AS_NODE(c)->op == known.not_op && is_guard(AS_NODE(c)->args[0])) {
        c = AS_NODE(c)->args[0];
        PyObject *swapped = a;
        a = b;
        b = swapped;
    }
    Py_ssize_t length = PyTuple_GET_SIZE(a);
    PyObject *result = type == &PyTuple_Type ? PyTuple_New(length) : type->tp_alloc(type, length);
    if (result == NULL || Py_EnterRecursiveCall(" while values are merged")) {
        Py_XDECREF(result);
        return NULL;
    }
    for (Py_ssize_t place = 0; place < length; place++) {
        PyObject *x = PyTuple_GET_ITEM(a, place), *y = PyTuple_GET_ITEM(b, place);
        PyObject *item = merged(c, x, y);
        if (item == NULL && !PyErr_Occurred()) {
            PyObject *args[3] = {c, x, y};
            item = PyObject_Vectorcall(known.merge_reference, args, 3, NULL);
        }
        if (item == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyTuple_SET_ITEM(result, place, item);
    }
    Py_LeaveRecursiveCall();
    return result;
}

static PyObject *
fast_merge(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    return count == 3 ? merged(args[0], args[1], args[2]) : NULL;
}

static PyObject *
fast_merge_tuples(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !is_guard(args[0]) || !PyTuple_Check(args[1]) || !PyTuple_Check(args[2])
        || PyTuple_GET_SIZE(args[1]) != PyTuple_GET_SIZE(args[2])) {
        return NULL;
    }
    return merged_tuples(&PyTuple_Type, args[0], args[1], args[2]);
}

static PyObject *
fast_choice(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 4 || !is_guard(args[1]) || !is_sort(args[0])) {
        return NULL;
    }
    return merged_primitives(args[0], args[1], args[2], args[3]);
}

static int
is_path(PyObject *function, Path path)
{
    return Py_IS_TYPE(function, &FastType) && ((Fast *)function)->path == path;
}

/* --- the classes of figure 9 ------------------------------------------------------------------ */

/* What `vm.shapes` has found about classes so far. */
static struct {
    PyObject *reference, *fixed, *references, *tuples, *named, *sorts, *theory;
    PyObject *ranks[16];
    PyObject *str_name, *bytes_name;
} shapes;

/* The ranks of groups, as `vm.shapes` numbers them. */
enum { NONE, BOOL, INT, THEORY, TEXT, TUPLE, RECORD, ATOM, METHOD, REFERENCE, RANKS };

/* `group` of a value, a new reference. */
static PyObject *
group_of(PyObject *value)
{
    PyObject *cls = (PyObject *)Py_TYPE(value);
    PyObject *found = PyDict_GetItemWithError(shapes.fixed, cls);
    if (found == NULL && PyTuple_CheckExact(value)) {
        PyObject *length = PyLong_FromSsize_t(PyTuple_GET_SIZE(value));
        if (length == NULL) {
            return NULL;
        }
        found = PyDict_GetItemWithError(shapes.tuples, length);
        Py_DECREF(length);
    }
    if (found == NULL && PyTuple_Check(value) && !PyErr_Occurred()) {
        found = PyDict_GetItemWithError(shapes.named, cls);
        if (found != NULL
            && PyLong_AsSsize_t(PyTuple_GET_ITEM(found, 3)) != PyTuple_GET_SIZE(value)) {
            found = NULL;
        }
    }
    if (found != NULL) {
        return Py_NewRef(found);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (PyUnicode_CheckExact(value)) {
        return PyTuple_Pack(3, shapes.ranks[ATOM], shapes.str_name, value);
    }
    if (PyBytes_CheckExact(value)) {
        return PyTuple_Pack(3, shapes.ranks[ATOM], shapes.bytes_name, value);
    }
    PyObject *sort = NULL;
    if (Py_IS_TYPE(value, known.bits)) {
        sort = SLOT(value, known.value_sort);
    }
    else if (IS_NODE(value) && PySet_Contains(shapes.theory, cls) == 1) {
        sort = AS_NODE(value)->sort;
    }
    if (sort != NULL) {
        found = PyDict_GetItemWithError(shapes.sorts, sort);
        if (found != NULL) {
            return Py_NewRef(found);
        }
    }
    else {
        int is_reference = PySet_Contains(shapes.references, cls);
        if (is_reference == 1) {
            PyObject *identity = PyLong_FromVoidPtr(value);
            PyObject *result =
                identity == NULL ? NULL : PyTuple_Pack(2, shapes.ranks[REFERENCE], identity);
            Py_XDECREF(identity);
            return result;
        }
    }
    return PyErr_Occurred() ? NULL : PyObject_CallOneArg(shapes.reference, value);
}

static inline long
rank_of(PyObject *group)
{
    return PyLong_AsLong(PyTuple_GET_ITEM(group, 0));
}

static PyObject *
fast_group(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    return count == 1 ? group_of(args[0]) : NULL;
}

/* --- unions ----------------------------------------------------------------------------------- */

static struct {
    /* What `vm.merge` defines. */
    PyObject *globals;
    PyObject *union_of_name, *merge_choices_name, *group_name, *members_name;
    PyTypeObject *type, *maybe, *string_term;
    Py_ssize_t choices;
    PyTypeObject *stats_type;
    Py_ssize_t stats_unions, stats_sizes, stats_largest, stats_listeners;
    /* The context variable of the statistics of this run. */
    PyObject *stats;
    PyObject *spelled;
    Py_ssize_t many_atoms;
} unions;

/* Add to a counter in a slot. */
static int
add_to(PyObject *object, Py_ssize_t slot, Py_ssize_t amount)
{
    PyObject *old = SLOT(object, slot);
    Py_ssize_t value = old == NULL ? -1 : PyLong_AsSsize_t(old);
    if (value == -1) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_AttributeError, "a counter of the run is not set");
        }
        return -1;
    }
    PyObject *new = PyLong_FromSsize_t(value + amount);
    if (new == NULL) {
        return -1;
    }
    SLOT(object, slot) = new;
    Py_DECREF(old);
    return 0;
}

/* Count a union: 1 if that is done, 0 if somebody wants to be told, which the reference does. */
static int
count_union(Py_ssize_t size)
{
    PyObject *stats;
    if (PyContextVar_Get(unions.stats, NULL, &stats) < 0) {
        return -1;
    }
    int done = 0;
    if (stats != NULL && Py_IS_TYPE(stats, unions.stats_type)) {
        PyObject *listeners = SLOT(stats, unions.stats_listeners);
        if (listeners != NULL && PyList_CheckExact(listeners) && PyList_GET_SIZE(listeners) == 0) {
            done = add_to(stats, unions.stats_unions, 1) < 0
                           || add_to(stats, unions.stats_sizes, size) < 0
                       ? -1
                       : 1;
            PyObject *largest = SLOT(stats, unions.stats_largest);
            if (done == 1 && largest != NULL && PyLong_AsSsize_t(largest) < size) {
                done = add_to(stats, unions.stats_largest, size - PyLong_AsSsize_t(largest)) < 0
                           ? -1
                           : 1;
            }
        }
    }
    Py_XDECREF(stats);
    return done;
}

/* `union_of`, unless texts are among the values; NULL without error: ask the reference. */
static PyObject *
fast_union_of(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1 || !PyTuple_CheckExact(args[0])) {
        return NULL;
    }
    PyObject *choices = args[0];
    Py_ssize_t length = PyTuple_GET_SIZE(choices), kept = 0, only = -1;
    int is_whole = 1;
    for (Py_ssize_t place = 0; place < length; place++) {
        PyObject *row = PyTuple_GET_ITEM(choices, place);
        if (!PyTuple_CheckExact(row) || PyTuple_GET_SIZE(row) != 2) {
            return NULL;
        }
        PyObject *guard = PyTuple_GET_ITEM(row, 0);
        if (guard == Py_False) {
            is_whole = 0;
            continue;
        }
        if (PySet_Contains(unions.spelled, (PyObject *)Py_TYPE(PyTuple_GET_ITEM(row, 1))) != 0) {
            return NULL;
        }
        kept++;
        only = place;
        if (guard == Py_True) {
            is_whole = is_whole && place == length - 1;
            break;
        }
    }
    if (kept == 0 || kept > unions.many_atoms) {
        return NULL;
    }
    if (kept == 1) {
        return Py_NewRef(PyTuple_GET_ITEM(PyTuple_GET_ITEM(choices, only), 1));
    }
    int counted = count_union(kept);
    if (counted <= 0) {
        return NULL;
    }
    PyObject *members = is_whole ? Py_NewRef(choices) : PyTuple_New(kept);
    if (members == NULL) {
        return NULL;
    }
    if (!is_whole) {
        Py_ssize_t next = 0;
        for (Py_ssize_t place = 0; place <= only; place++) {
            PyObject *row = PyTuple_GET_ITEM(choices, place);
            if (PyTuple_GET_ITEM(row, 0) != Py_False) {
                PyTuple_SET_ITEM(members, next++, Py_NewRef(row));
            }
        }
    }
    PyObject *result = unions.type->tp_alloc(unions.type, 0);
    if (result == NULL) {
        Py_DECREF(members);
        return NULL;
    }
    SLOT(result, unions.choices) = members;
    return result;
}

/* `merge_members` of two values of one group; NULL without error: ask the reference. */
static PyObject *
members_merged(PyObject *c, PyObject *a, PyObject *b, long rank)
{
    if (a == b) {
        return Py_NewRef(a);
    }
    switch (rank) {
    case NONE:
    case ATOM:
    case REFERENCE:
        return Py_NewRef(a);
    case BOOL:
    case INT:
        return merged(c, a, b);
    case THEORY: {
        PyObject *sort = is_guard(c) ? plain_sort(a, b) : NULL;
        return sort == NULL ? NULL : choose(sort, c, a, b);
    }
    case TUPLE:
        return PyTuple_Check(a) && Py_TYPE(a) == Py_TYPE(b) && is_guard(c)
                       && PyTuple_GET_SIZE(a) == PyTuple_GET_SIZE(b)
                   ? merged_tuples(Py_TYPE(a), c, a, b)
                   : NULL;
    default:
        return NULL;
    }
}

static PyObject *
fast_merge_members(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3) {
        return NULL;
    }
    if (args[1] == args[2]) {
        return Py_NewRef(args[1]);
    }
    PyObject *group = group_of(args[1]);
    if (group == NULL) {
        return NULL;
    }
    long rank = rank_of(group);
    Py_DECREF(group);
    return members_merged(args[0], args[1], args[2], rank);
}

/* Both sides of a merge: their choices, and the groups of the values. */
typedef struct {
    PyObject *choices;
    Py_ssize_t count;
    PyObject *groups;
} Side;

static int
set_side(Side *side, PyObject *choices, PyObject *key)
{
    side->choices = choices;
    side->count = PyTuple_GET_SIZE(choices);
    side->groups = PyList_New(side->count);
    if (side->groups == NULL) {
        return -1;
    }
    for (Py_ssize_t place = 0; place < side->count; place++) {
        PyObject *row = PyTuple_GET_ITEM(choices, place);
        if (!PyTuple_CheckExact(row) || PyTuple_GET_SIZE(row) != 2) {
            PyErr_SetString(PyExc_TypeError, "a choice is a guard and a value");
            return -1;
        }
        PyObject *value = PyTuple_GET_ITEM(row, 1);
        PyObject *group = key == NULL ? group_of(value) : PyObject_CallOneArg(key, value);
        if (group == NULL) {
            return -1;
        }
        PyList_SET_ITEM(side->groups, place, group);
        if (!PyTuple_CheckExact(group) || PyTuple_GET_SIZE(group) == 0) {
            PyErr_SetString(PyExc_TypeError, "a group is a tuple that begins with its rank");
            return -1;
        }
    }
    return 0;
}

#define GUARD(side, place) PyTuple_GET_ITEM(PyTuple_GET_ITEM((side)->choices, place), 0)
#define MEMBER(side, place) PyTuple_GET_ITEM(PyTuple_GET_ITEM((side)->choices, place), 1)
#define GROUP(side, place) PyList_GET_ITEM((side)->groups, place)

/* Whether the groups that both sides have come in the same order; -1 is an error. */
static int
same_order(Side *left, Side *right)
{
    if (left->count < 2 || right->count < 2) {
        return 1;
    }
    PyObject *places = PyDict_New();
    int result = places == NULL ? -1 : 1;
    for (Py_ssize_t place = 0; result == 1 && place < left->count; place++) {
        PyObject *number = PyLong_FromSsize_t(place);
        if (number == NULL || PyDict_SetItem(places, GROUP(left, place), number) < 0) {
            result = -1;
        }
        Py_XDECREF(number);
    }
    Py_ssize_t last = -1;
    for (Py_ssize_t place = 0; result == 1 && place < right->count; place++) {
        PyObject *found = PyDict_GetItemWithError(places, GROUP(right, place));
        if (found != NULL) {
            Py_ssize_t number = PyLong_AsSsize_t(found);
            result = number >= last;
            last = number;
        }
        else if (PyErr_Occurred()) {
            result = -1;
        }
    }
    Py_XDECREF(places);
    return result;
}

/* Whether a group of the left side comes before one of the right; -1 is an error. */
static int
goes_first(PyObject *first, PyObject *second, Side *right)
{
    long rank = rank_of(first), other = rank_of(second);
    if (rank != other) {
        return rank < other;
    }
    if (rank != REFERENCE) {
        return PyObject_RichCompareBool(first, second, Py_LT);
    }
    int inside = PySequence_Contains(right->groups, first);
    return inside < 0 ? -1 : !inside;
}

/* A guard and a value, both given away, as a row of a union. */
static int
add_row(PyObject *rows, PyObject *guard, PyObject *value)
{
    PyObject *row = guard == NULL || value == NULL ? NULL : PyTuple_New(2);
    if (row == NULL) {
        Py_XDECREF(guard);
        Py_XDECREF(value);
        return -1;
    }
    PyTuple_SET_ITEM(row, 0, guard);
    PyTuple_SET_ITEM(row, 1, value);
    int result = PyList_Append(rows, row);
    Py_DECREF(row);
    return result;
}

/* `and_` of a symbolic condition and a guard. */
static PyObject *
restricted(PyObject *c, PyObject *guard)
{
    if (is_truth(guard)) {
        return Py_NewRef(guard == Py_True ? c : guard);
    }
    return construct_two(known.and_constructor, c, guard);
}

static PyObject *
guard_of_both(PyObject *c, PyObject *a, PyObject *b)
{
    return a == b ? Py_NewRef(a) : chosen(known.bool_sort, c, a, b);
}

/* The pass over both sides; `members` is NULL for `merge_members`. */
static int
merge_sides(PyObject *c, Side *left, Side *right, PyObject *members, PyObject *rows)
{
    PyObject *against = construct_one(known.not_constructor, c);
    if (against == NULL) {
        return -1;
    }
    Py_ssize_t i = 0, j = 0;
    int result = 0;
    while (result == 0 && i < left->count && j < right->count) {
        PyObject *first = GROUP(left, i), *second = GROUP(right, j);
        int same = PyObject_RichCompareBool(first, second, Py_EQ);
        int before = same == 0 ? goes_first(first, second, right) : 0;
        if (same < 0 || before < 0) {
            result = -1;
        }
        else if (same) {
            PyObject *guard = guard_of_both(c, GUARD(left, i), GUARD(right, j));
            PyObject *value = NULL;
            if (guard != NULL) {
                PyObject *args[3] = {c, MEMBER(left, i), MEMBER(right, j)};
                if (members == NULL) {
                    value = members_merged(c, args[1], args[2], rank_of(first));
                }
                if (value == NULL && !PyErr_Occurred()) {
                    value = PyObject_Vectorcall(
                        members == NULL ? known.members_reference : members, args, 3, NULL);
                }
            }
            result = add_row(rows, guard, value);
            i++;
            j++;
        }
        else if (before) {
            result = add_row(rows, restricted(c, GUARD(left, i)), Py_NewRef(MEMBER(left, i)));
            i++;
        }
        else {
            PyObject *guard = GUARD(right, j);
            guard = against == Py_True || against == Py_False
                        ? Py_NewRef(against == Py_True ? guard : against)
                        : restricted(against, guard);
            result = add_row(rows, guard, Py_NewRef(MEMBER(right, j)));
            j++;
        }
    }
    Py_DECREF(against);
    /* One side has given all its members, so that the rest belongs to the other alone. */
    for (; result == 0 && i < left->count; i++) {
        result = add_row(rows, Py_NewRef(GUARD(left, i)), Py_NewRef(MEMBER(left, i)));
    }
    for (; result == 0 && j < right->count; j++) {
        result = add_row(rows, Py_NewRef(GUARD(right, j)), Py_NewRef(MEMBER(right, j)));
    }
    return result;
}

/* A function of `vm.merge`, a new reference, by its name as in Python: it may be replaced. */
static PyObject *
by_name(PyObject *name)
{
    PyObject *found = PyDict_GetItemWithError(unions.globals, name);
    if (found == NULL && !PyErr_Occurred()) {
        PyErr_SetObject(PyExc_NameError, name);
    }
    return Py_XNewRef(found);
}

static PyObject *
union_of(PyObject *choices)
{
    PyObject *function = choices == NULL ? NULL : by_name(unions.union_of_name);
    PyObject *result = function == NULL ? NULL : PyObject_CallOneArg(function, choices);
    Py_XDECREF(function);
    Py_XDECREF(choices);
    return result;
}

static PyObject *
choices_of(PyObject *value)
{
    if (Py_IS_TYPE(value, unions.type)) {
        return Py_XNewRef(SLOT(value, unions.choices));
    }
    return Py_BuildValue("((OO))", Py_True, value);
}

static PyObject *
merged_unions(PyObject *c, PyObject *a, PyObject *b)
{
    PyObject *choices = NULL;
    PyObject *function = by_name(unions.merge_choices_name);
    PyObject *key = function == NULL ? NULL : by_name(unions.group_name);
    PyObject *members = key == NULL ? NULL : by_name(unions.members_name);
    PyObject *left = members == NULL ? NULL : choices_of(a);
    PyObject *right = left == NULL ? NULL : choices_of(b);
    if (right != NULL) {
        PyObject *args[5] = {c, left, right, key, members};
        choices = PyObject_Vectorcall(function, args, 5, NULL);
    }
    Py_XDECREF(function);
    Py_XDECREF(key);
    Py_XDECREF(members);
    Py_XDECREF(left);
    Py_XDECREF(right);
    return union_of(choices);
}

/* `merge` of unions and of values that need not be of one class. */
static PyObject *
merged_apart(PyObject *c, PyObject *a, PyObject *b)
{
    PyTypeObject *type_a = Py_TYPE(a), *type_b = Py_TYPE(b);
    if (type_a == unions.maybe || type_b == unions.maybe) {
        return NULL;
    }
    if (type_a == unions.type || type_b == unions.type) {
        return merged_unions(c, a, b);
    }
    /* Texts merge by rules of their own. */
    if (PySet_Contains(unions.spelled, (PyObject *)type_a) != 0
        || PySet_Contains(unions.spelled, (PyObject *)type_b) != 0 || type_a == unions.string_term
        || type_b == unions.string_term) {
        return NULL;
    }
    PyObject *first = group_of(a), *second = first == NULL ? NULL : group_of(b);
    PyObject *result = NULL;
    if (second != NULL) {
        int same = PyObject_RichCompareBool(first, second, Py_EQ);
        long rank = rank_of(first), other = rank_of(second);
        if (same == 1) {
            PyObject *args[3] = {c, a, b};
            PyObject *function = by_name(unions.members_name);
            result = function == NULL ? NULL : PyObject_Vectorcall(function, args, 3, NULL);
            Py_XDECREF(function);
        }
        else if (same == 0) {
            int after = other < rank;
            if (other == rank && rank != REFERENCE) {
                after = PyObject_RichCompareBool(second, first, Py_LT);
            }
            if (after == 1) {
                PyObject *against = construct_one(known.not_constructor, c);
                if (against != NULL) {
                    result = union_of(Py_BuildValue("((NO)(OO))", against, b, Py_True, a));
                }
            }
            else if (after == 0) {
                result = union_of(Py_BuildValue("((OO)(OO))", c, a, Py_True, b));
            }
        }
    }
    Py_XDECREF(first);
    Py_XDECREF(second);
    return result;
}

/* `merge_choices`; where references change places the reference goes on. */
static PyObject *
fast_merge_choices(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 5 || !is_guard(args[0]) || !PyTuple_CheckExact(args[1])
        || !PyTuple_CheckExact(args[2])) {
        return NULL;
    }
    int is_plain = is_path(args[3], fast_group) && is_path(args[4], fast_merge_members);
    Side left = {0}, right = {0};
    PyObject *rows = NULL, *result = NULL;
    if (set_side(&left, args[1], is_plain ? NULL : args[3]) == 0
        && set_side(&right, args[2], is_plain ? NULL : args[3]) == 0
        && same_order(&left, &right) == 1) {
        rows = PyList_New(0);
        PyObject *members = is_plain ? NULL : args[4];
        if (rows != NULL && merge_sides(args[0], &left, &right, members, rows) == 0) {
            result = PyList_AsTuple(rows);
        }
    }
    Py_XDECREF(left.groups);
    Py_XDECREF(right.groups);
    Py_XDECREF(rows);
    return result;
}

/* --- forks ------------------------------------------------------------------------------------ */

/* The slots of `vm.forks`, `vm.machine` and `vm.state`, and what they share. */
static struct {
    Py_ssize_t code, condition, dead, effects, first, first_path, first_start, flipped, frame;
    Py_ssize_t layer, machine, path, saved, scopes;
    Py_ssize_t machine_waiting, machine_layers, machine_scopes, machine_forks, machine_state,
        machine_stats;
    Py_ssize_t state_path, path_parent, path_decision, path_holds, path_term;
    Py_ssize_t stats_joins, stats_forks;
    PyTypeObject *fork_type, *machine_type, *state_type, *path_type;
    PyObject *current, *journaling, *merge_owned, *on_first_side, *on_second_side;
    /* Classes of values that never change, and whether objects of others are their attributes. */
    PyObject *values, *plain_instances;
} forks;

/* Put an object into a slot; the reference is given away. */
static inline void
put(PyObject *object, Py_ssize_t slot, PyObject *value)
{
    PyObject *old = SLOT(object, slot);
    SLOT(object, slot) = value;
    Py_XDECREF(old);
}

static PyObject *
new_path(PyObject *parent, PyObject *decision, PyObject *holds)
{
    PyObject *path = forks.path_type->tp_alloc(forks.path_type, 0);
    if (path != NULL) {
        SLOT(path, forks.path_parent) = Py_NewRef(parent);
        SLOT(path, forks.path_decision) = Py_NewRef(decision);
        SLOT(path, forks.path_holds) = Py_NewRef(holds);
        SLOT(path, forks.path_term) = Py_NewRef(Py_None);
    }
    return path;
}

/* The slot of an object if it is a list (borrowed), or NULL. */
static inline PyObject *
list_in(PyObject *object, Py_ssize_t slot)
{
    PyObject *list = SLOT(object, slot);
    return list != NULL && PyList_CheckExact(list) ? list : NULL;
}

/* The state of a fork's machine (borrowed) if all is of the classes of the reference, or NULL. */
static PyObject *
state_of(PyObject *machine)
{
    if (machine == NULL || !Py_IS_TYPE(machine, forks.machine_type)
        || list_in(machine, forks.machine_layers) == NULL
        || list_in(machine, forks.machine_forks) == NULL
        || list_in(machine, forks.machine_scopes) == NULL
        || list_in(machine, forks.machine_waiting) == NULL) {
        return NULL;
    }
    PyObject *state = SLOT(machine, forks.machine_state);
    if (state == NULL || !Py_IS_TYPE(state, forks.state_type)
        || SLOT(state, forks.state_path) == NULL) {
        return NULL;
    }
    return state;
}

static int
note_journaling(PyObject *machine, int is_open)
{
    PyObject *identity = PyLong_FromVoidPtr(machine);
    if (identity == NULL) {
        return -1;
    }
    int result = is_open ? PySet_Add(forks.journaling, identity)
                         : PySet_Discard(forks.journaling, identity);
    Py_DECREF(identity);
    return result < 0 ? -1 : 0;
}

static int
drop_last(PyObject *list)
{
    Py_ssize_t length = PyList_GET_SIZE(list);
    return PyList_SetSlice(list, length - 1, length, NULL);
}

/* `Fork.__init__`, unless a scope waits for its layer. */
static PyObject *
fast_fork_open(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !Py_IS_TYPE(args[0], forks.fork_type)) {
        return NULL;
    }
    PyObject *fork = args[0], *condition = args[1], *machine = NULL;
    if (PyContextVar_Get(forks.current, NULL, &machine) < 0) {
        return NULL;
    }
    PyObject *state = state_of(machine);
    PyFrameObject *frame = PyEval_GetFrame();
    if (state == NULL || frame == NULL
        || PyList_GET_SIZE(SLOT(machine, forks.machine_waiting)) != 0) {
        Py_XDECREF(machine);
        return NULL;
    }
    PyObject *layers = SLOT(machine, forks.machine_layers);
    PyObject *path = SLOT(state, forks.state_path);
    PyObject *stats = SLOT(machine, forks.machine_stats);
    if (stats == NULL || !Py_IS_TYPE(stats, unions.stats_type)) {
        Py_DECREF(machine);
        return NULL;
    }
    PyObject *layer = PyDict_New();
    PyObject *start = new_path(path, condition, Py_True);
    PyObject *scopes = PyLong_FromSsize_t(PyList_GET_SIZE(SLOT(machine, forks.machine_scopes)));
    PyObject *identity = PyLong_FromVoidPtr(frame);
    if (layer == NULL || start == NULL || scopes == NULL || identity == NULL
        || (PyList_GET_SIZE(layers) == 0 && note_journaling(machine, 1) < 0)
        || PyList_Append(layers, layer) < 0
        || PyList_Append(SLOT(machine, forks.machine_forks), fork) < 0
        || add_to(stats, forks.stats_forks, 1) < 0) {
        Py_XDECREF(layer);
        Py_XDECREF(start);
        Py_XDECREF(scopes);
        Py_XDECREF(identity);
        Py_DECREF(machine);
        return NULL;
    }
    put(fork, forks.machine, machine);
    put(fork, forks.layer, layer);
    put(fork, forks.effects, Py_NewRef(Py_None));
    put(fork, forks.condition, Py_NewRef(condition));
    put(fork, forks.flipped, Py_NewRef(Py_False));
    put(fork, forks.saved, Py_NewRef(args[2]));
    put(fork, forks.scopes, scopes);
    put(fork, forks.code, (PyObject *)PyFrame_GetCode(frame));
    put(fork, forks.frame, identity);
    put(fork, forks.path, Py_NewRef(path));
    put(fork, forks.dead, Py_NewRef(Py_False));
    put(fork, forks.first_start, Py_NewRef(start));
    put(state, forks.state_path, start);
    Py_RETURN_NONE;
}

/* `open_fork`: a fork is made without the steps by which Python calls a class. */
static PyObject *
fast_open_fork(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || forks.fork_type == NULL) {
        return NULL;
    }
    PyObject *fork = forks.fork_type->tp_alloc(forks.fork_type, 0);
    if (fork == NULL) {
        return NULL;
    }
    PyObject *operands[3] = {fork, args[0], args[1]};
    PyObject *done = fast_fork_open(self, operands, 3);
    if (done == NULL) {
        Py_DECREF(fork);
        return NULL;
    }
    Py_DECREF(done);
    return fork;
}

/* The state of a fork whose side has written nothing (borrowed), or NULL. */
static PyObject *
state_without_writes(PyObject *fork)
{
    if (!Py_IS_TYPE(fork, forks.fork_type)) {
        return NULL;
    }
    PyObject *layer = SLOT(fork, forks.layer);
    if (layer == NULL || !PyDict_CheckExact(layer) || PyDict_GET_SIZE(layer) != 0
        || SLOT(fork, forks.path) == NULL || SLOT(fork, forks.condition) == NULL) {
        return NULL;
    }
    return state_of(SLOT(fork, forks.machine));
}

/* `Fork.flip`, where the first side has written nothing. */
static PyObject *
fast_fork_flip(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *fork = count == 2 ? args[0] : NULL;
    PyObject *state = fork == NULL ? NULL : state_without_writes(fork);
    if (state == NULL) {
        return NULL;
    }
    PyObject *saved = SLOT(fork, forks.saved);
    if (saved == NULL || saved == Py_None) {
        return NULL;
    }
    PyObject *path = new_path(SLOT(fork, forks.path), SLOT(fork, forks.condition), Py_False);
    if (path == NULL) {
        return NULL;
    }
    int is_dead = SLOT(fork, forks.dead) != Py_False;
    put(fork, forks.effects, Py_NewRef(Py_None));
    put(fork, forks.first, Py_NewRef(is_dead ? Py_None : args[1]));
    put(fork, forks.first_path, Py_NewRef(SLOT(state, forks.state_path)));
    put(state, forks.state_path, path);
    SLOT(fork, forks.saved) = Py_NewRef(Py_None);
    put(fork, forks.dead, Py_NewRef(Py_False));
    put(fork, forks.flipped, Py_NewRef(Py_True));
    return saved;
}

/* Call `merge_owned`, which counts references: one for the variable that the reference has here. */
static PyObject *
merged_owned(PyObject *function, PyObject *c, PyObject *a, PyObject *b, int swapped)
{
    Py_INCREF(a);
    Py_INCREF(b);
    PyObject *refs_a = forks.on_first_side == NULL ? Py_None : forks.on_first_side;
    PyObject *refs_b = forks.on_second_side == NULL ? Py_None : forks.on_second_side;
    PyObject *plain[5] = {c, a, b, refs_a, refs_b};
    PyObject *turned[5] = {c, b, a, refs_b, refs_a};
    PyObject *result = PyObject_Vectorcall(function, swapped ? turned : plain, 5, NULL);
    Py_DECREF(a);
    Py_DECREF(b);
    return result;
}

/* What a function in the place of `merge_owned` makes of the first of some variables: the module of
 * forks finds out whether references are counted here as they are there. */
static PyObject *
core_call_as_join(PyObject *module, PyObject *args)
{
    PyObject *function, *first, *values;
    if (!PyArg_ParseTuple(args, "OO!O!", &function, &PyTuple_Type, &first, &PyTuple_Type,
                          &values)) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(first) == 0 || PyTuple_GET_SIZE(values) == 0) {
        PyErr_SetString(PyExc_ValueError, "a variable of each side is needed");
        return NULL;
    }
    PyObject *a = PyTuple_GET_ITEM(first, 0), *b = PyTuple_GET_ITEM(values, 0);
    return merged_owned(function, Py_None, a, b, 0);
}

/* Whether no value of a class is owned by what refers to it, since it never changes or is not known
 * to consist of its attributes. */
static int
is_never_owned(PyTypeObject *type)
{
    if (PySet_Contains(forks.values, (PyObject *)type) == 1) {
        return 1;
    }
    /* What consists of attributes is found out by `vm.owned`, also for containers. */
    return PyDict_GetItemWithError(forks.plain_instances, (PyObject *)type) == Py_False;
}

/* Whether a value, or any member of one that is a union, might be owned. */
static int
may_be_owned(PyObject *value)
{
    if (!Py_IS_TYPE(value, unions.type)) {
        return !is_never_owned(Py_TYPE(value));
    }
    PyObject *choices = SLOT(value, unions.choices);
    if (choices == NULL || !PyTuple_CheckExact(choices)) {
        return 1;
    }
    for (Py_ssize_t place = 0; place < PyTuple_GET_SIZE(choices); place++) {
        PyObject *row = PyTuple_GET_ITEM(choices, place);
        if (!PyTuple_CheckExact(row) || PyTuple_GET_SIZE(row) != 2
            || !is_never_owned(Py_TYPE(PyTuple_GET_ITEM(row, 1)))) {
            return 1;
        }
    }
    return 0;
}

/* Merge a local variable of both sides; objects that have no other references merge too. */
static PyObject *
merged_variable(PyObject *c, PyObject *a, PyObject *b, int swapped)
{
    PyObject *sort = primitive_sort(a);
    if (sort != NULL && sort == primitive_sort(b)) {
        return swapped ? merged_primitives(sort, c, b, a) : merged_primitives(sort, c, a, b);
    }
    if (!may_be_owned(a) && !may_be_owned(b)) {
        PyObject *args[3] = {c, swapped ? b : a, swapped ? a : b};
        PyObject *result = merged(args[0], args[1], args[2]);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
        return PyObject_Vectorcall(known.merge_reference, args, 3, NULL);
    }
    return merged_owned(forks.merge_owned, c, a, b, swapped);
}

static PyObject *
merged_variables(PyObject *c, PyObject *first, PyObject *values)
{
    int swapped = AS_NODE(c)->op == known.not_op && is_guard(AS_NODE(c)->args[0]);
    if (swapped) {
        c = AS_NODE(c)->args[0];
    }
    Py_ssize_t length = PyTuple_GET_SIZE(values);
    PyObject *result = PyTuple_New(length);
    for (Py_ssize_t place = 0; result != NULL && place < length; place++) {
        PyObject *a = PyTuple_GET_ITEM(first, place), *b = PyTuple_GET_ITEM(values, place);
        PyObject *value = a == b ? Py_NewRef(a) : merged_variable(c, a, b, swapped);
        if (value == NULL) {
            Py_CLEAR(result);
        }
        else {
            PyTuple_SET_ITEM(result, place, value);
        }
    }
    return result;
}

/* Take a fork and its empty layer off the stacks of its machine; -1 is an error. */
static int
close_fork(PyObject *machine, PyObject *open, PyObject *layers)
{
    return drop_last(open) < 0 || drop_last(layers) < 0
                   || (PyList_GET_SIZE(layers) == 0 && note_journaling(machine, 0) < 0)
               ? -1
               : 0;
}

/* `Fork.join`, where one side has ended and the other has written nothing: what that has left. */
static PyObject *
join_of_one(PyObject *fork, PyObject *values, PyObject *machine, PyObject *state)
{
    PyObject *first = SLOT(fork, forks.first);
    PyObject *open = SLOT(machine, forks.machine_forks);
    PyObject *layers = SLOT(machine, forks.machine_layers);
    int is_first = first != Py_None;
    if (is_first) {
        if (SLOT(fork, forks.dead) == Py_False || SLOT(fork, forks.first_path) == NULL) {
            return NULL;
        }
        values = first;
    }
    else if (SLOT(fork, forks.dead) != Py_False) {
        return NULL;
    }
    if (close_fork(machine, open, layers) < 0) {
        return NULL;
    }
    if (is_first) {
        put(state, forks.state_path, Py_NewRef(SLOT(fork, forks.first_path)));
    }
    return Py_NewRef(values);
}

/* `Fork.join`, where both sides go on, have written nothing and have lost no inputs. */
static PyObject *
fast_fork_join(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *fork = count == 2 ? args[0] : NULL;
    PyObject *state = fork == NULL ? NULL : state_without_writes(fork);
    if (state == NULL) {
        return NULL;
    }
    PyObject *values = args[1], *machine = SLOT(fork, forks.machine);
    PyObject *first = SLOT(fork, forks.first), *c = SLOT(fork, forks.condition);
    PyObject *layers = SLOT(machine, forks.machine_layers);
    PyObject *open = SLOT(machine, forks.machine_forks);
    PyObject *stats = SLOT(machine, forks.machine_stats);
    PyObject *path = SLOT(state, forks.state_path);
    if (first == NULL || SLOT(fork, forks.effects) != Py_None || PyList_GET_SIZE(layers) == 0
        || PyList_GET_SIZE(open) == 0 || PyList_GET_ITEM(open, PyList_GET_SIZE(open) - 1) != fork
        || PyList_GET_ITEM(layers, PyList_GET_SIZE(layers) - 1) != SLOT(fork, forks.layer)) {
        return NULL;
    }
    if (first == Py_None || SLOT(fork, forks.dead) != Py_False) {
        return join_of_one(fork, values, machine, state);
    }
    if (!PyTuple_CheckExact(first) || !PyTuple_CheckExact(values)
        || PyTuple_GET_SIZE(first) != PyTuple_GET_SIZE(values) || !is_guard(c) || stats == NULL
        || !Py_IS_TYPE(stats, unions.stats_type) || !Py_IS_TYPE(path, forks.path_type)
        || SLOT(path, forks.path_parent) != SLOT(fork, forks.path)
        || SLOT(fork, forks.first_path) != SLOT(fork, forks.first_start)) {
        return NULL;
    }
    PyObject *listeners = SLOT(stats, unions.stats_listeners);
    if (listeners == NULL || !PyList_CheckExact(listeners) || PyList_GET_SIZE(listeners) != 0) {
        return NULL;
    }
    if (close_fork(machine, open, layers) < 0 || add_to(stats, forks.stats_joins, 1) < 0) {
        return NULL;
    }
    put(state, forks.state_path, Py_NewRef(SLOT(fork, forks.path)));
    if (PyTuple_GET_SIZE(values) == 0) {
        return Py_NewRef(values);
    }
    /* The fork may go while what is merged runs. */
    Py_INCREF(first);
    Py_INCREF(c);
    PyObject *result = merged_variables(c, first, values);
    Py_DECREF(first);
    Py_DECREF(c);
    return result;
}

/* --- results of the members of a union -------------------------------------------------------- */

/* Whether values of different groups, all but the last no references, come in their order; -1 is an
 * error. */
static int
are_sorted(PyObject *rows)
{
    PyObject *before = NULL;
    int result = 1;
    for (Py_ssize_t place = 0; result == 1 && place < PyList_GET_SIZE(rows); place++) {
        PyObject *value = PyTuple_GET_ITEM(PyList_GET_ITEM(rows, place), 1);
        if (Py_IS_TYPE(value, unions.type)) {
            result = 0;
            break;
        }
        PyObject *group = group_of(value);
        if (group == NULL) {
            result = -1;
        }
        else if (before != NULL) {
            long rank = rank_of(before), next = rank_of(group);
            result = rank == REFERENCE ? 0
                     : rank != next    ? rank < next
                                       : PyObject_RichCompareBool(before, group, Py_LT);
        }
        Py_XDECREF(before);
        before = group;
    }
    Py_XDECREF(before);
    return result;
}

/* `combine`, where no value might be owned. */
static PyObject *
fast_combine(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1 || !PyList_CheckExact(args[0]) || forks.values == NULL) {
        return NULL;
    }
    PyObject *rows = args[0];
    Py_ssize_t length = PyList_GET_SIZE(rows);
    for (Py_ssize_t place = 0; place < length; place++) {
        PyObject *row = PyList_GET_ITEM(rows, place);
        if (!PyTuple_CheckExact(row) || PyTuple_GET_SIZE(row) != 2
            || may_be_owned(PyTuple_GET_ITEM(row, 1))) {
            return NULL;
        }
    }
    if (length < 2) {
        return length == 0 ? NULL : Py_NewRef(PyTuple_GET_ITEM(PyList_GET_ITEM(rows, 0), 1));
    }
    int sorted = are_sorted(rows);
    if (sorted < 0) {
        return NULL;
    }
    PyObject *last = PyTuple_GET_ITEM(PyList_GET_ITEM(rows, length - 1), 1);
    if (sorted) {
        PyObject *choices = PyList_AsTuple(rows), *row = PyTuple_Pack(2, Py_True, last);
        if (choices == NULL || row == NULL) {
            Py_XDECREF(choices);
            Py_XDECREF(row);
            return NULL;
        }
        PyObject *replaced = PyTuple_GET_ITEM(choices, length - 1);
        PyTuple_SET_ITEM(choices, length - 1, row);
        Py_DECREF(replaced);
        return union_of(choices);
    }
    PyObject *result = Py_NewRef(last);
    for (Py_ssize_t place = length - 2; result != NULL && place >= 0; place--) {
        PyObject *row = PyList_GET_ITEM(rows, place);
        PyObject *test = PyTuple_GET_ITEM(row, 0), *then = PyTuple_GET_ITEM(row, 1);
        PyObject *otherwise = result;
        if (is_guard(test) && AS_NODE(test)->op == known.not_op && then != otherwise
            && is_guard(AS_NODE(test)->args[0])) {
            test = AS_NODE(test)->args[0];
            otherwise = then;
            then = result;
        }
        PyObject *operands[3] = {test, then, otherwise};
        PyObject *next = merged(test, then, otherwise);
        if (next == NULL && !PyErr_Occurred()) {
            next = PyObject_Vectorcall(known.merge_reference, operands, 3, NULL);
        }
        Py_SETREF(result, next);
    }
    return result;
}

/* --- tests of branches ------------------------------------------------------------------------- */

/* The slots of `vm.limits` and `vm.scopes` that tell whether a test has to be decided. */
static struct {
    Py_ssize_t machine_limits, ask_after, bound, pause;
    Py_ssize_t scope_code, scope_frame, scope_left;
    PyTypeObject *limits_type, *scope_type;
} tests;

/* What `lift.calls` knows of functions. */
static struct {
    PyObject *functions, *constructors, *attribute, *owner;
    PyTypeObject *bits_term;
    Constructor *negation, *sum_of_bits, *negation_of_bits;
    int lifted;
} calls;

/* More frames of one function are not counted here. */
#define MOST_FRAMES 64

/* The small int in a slot, or -1. */
static long
small_in(PyObject *object, Py_ssize_t slot)
{
    PyObject *value = SLOT(object, slot);
    if (value == NULL || !PyLong_CheckExact(value)) {
        return -1;
    }
    int overflow;
    long found = PyLong_AsLongAndOverflow(value, &overflow);
    return overflow ? -1 : found;
}

/* Add the frame of a fork or scope of some code to those that were seen; how many there are then. */
static int
with_frame(void **seen, int count, PyObject *frame)
{
    if (frame == NULL || !PyLong_CheckExact(frame)) {
        return -1;
    }
    void *identity = PyLong_AsVoidPtr(frame);
    if (identity == NULL) {
        return -1;
    }
    /* The latest is the likeliest. */
    for (int place = count - 1; place >= 0; place--) {
        if (seen[place] == identity) {
            return count;
        }
    }
    if (count == MOST_FRAMES) {
        return -1;
    }
    seen[count] = identity;
    return count + 1;
}

/* How many calls of one function have open forks or scopes, or -1 if that is left to Python. */
static int
recursion_of(PyObject *open_forks, PyObject *open_scopes, PyObject *code)
{
    void *seen[MOST_FRAMES];
    int count = 0;
    for (Py_ssize_t place = 0; count >= 0 && place < PyList_GET_SIZE(open_forks); place++) {
        PyObject *fork = PyList_GET_ITEM(open_forks, place);
        if (!Py_IS_TYPE(fork, forks.fork_type)) {
            return -1;
        }
        if (SLOT(fork, forks.code) == code) {
            count = with_frame(seen, count, SLOT(fork, forks.frame));
        }
    }
    for (Py_ssize_t place = 0; count >= 0 && place < PyList_GET_SIZE(open_scopes); place++) {
        PyObject *scope = PyList_GET_ITEM(open_scopes, place);
        if (!PyObject_TypeCheck(scope, tests.scope_type)) {
            return -1;
        }
        if (SLOT(scope, tests.scope_code) == code) {
            count = with_frame(seen, count, SLOT(scope, tests.scope_frame));
        }
    }
    return count;
}

/* `test` where no solver is to be asked whether both sides are possible. */
static PyObject *
fast_test(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1 || !is_guard(args[0]) || tests.scope_type == NULL) {
        return NULL;
    }
    PyObject *machine = NULL, *result = NULL;
    if (PyContextVar_Get(forks.current, NULL, &machine) < 0) {
        return NULL;
    }
    PyObject *limits = state_of(machine) == NULL ? NULL : SLOT(machine, tests.machine_limits);
    if (limits == NULL || !Py_IS_TYPE(limits, tests.limits_type)
        || SLOT(limits, tests.bound) != Py_None) {
        goto done;
    }
    PyObject *open_forks = SLOT(machine, forks.machine_forks);
    PyObject *open_scopes = SLOT(machine, forks.machine_scopes);
    Py_ssize_t scope_count = PyList_GET_SIZE(open_scopes);
    long most = small_in(limits, tests.ask_after);
    if (most < 0) {
        goto done;
    }
    if (scope_count > 0) {
        PyObject *last = PyList_GET_ITEM(open_scopes, scope_count - 1);
        long left = PyObject_TypeCheck(last, tests.scope_type) ? small_in(last, tests.scope_left)
                                                               : -1;
        if (left < 0 || left > most) {
            goto done;
        }
    }
    if (PyList_GET_SIZE(open_forks) + scope_count > 3) {
        PyFrameObject *frame = PyEval_GetFrame();
        if (frame == NULL) {
            goto done;
        }
        PyObject *code = (PyObject *)PyFrame_GetCode(frame);
        int depth = recursion_of(open_forks, open_scopes, code);
        Py_DECREF(code);
        if (depth < 0 || depth > most) {
            goto done;
        }
        /* At powers of two a solver may be asked, unless this occasion is let pass. */
        if (depth >= 4 && (depth & (depth - 1)) == 0) {
            long pause = small_in(limits, tests.pause);
            if (pause <= 0 || add_to(limits, tests.pause, -1) < 0) {
                goto done;
            }
        }
    }
    result = Py_NewRef(args[0]);
done:
    Py_XDECREF(machine);
    return result;
}

/* `not` of a condition, and of a sequence whose length is the same on all paths. */
static PyObject *
fast_negation(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count == 1 && (PyTuple_CheckExact(args[0]) || PyList_CheckExact(args[0]))) {
        if (PySequence_Fast_GET_SIZE(args[0]) == 0) {
            Py_RETURN_TRUE;
        }
        if (PyTuple_CheckExact(args[0])
            || !Py_IS_TYPE(PyList_GET_ITEM(args[0], 0), unions.maybe)) {
            Py_RETURN_FALSE;
        }
        return NULL;
    }
    return fast_not(self, args, count);
}

/* `==` of a symbolic int and an int, of a symbolic bitvector and one of its width, of texts. */
static PyObject *
fast_equal(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        return NULL;
    }
    PyObject *a = args[0], *b = args[1];
    if (Py_IS_TYPE(a, known.int_term)) {
        return PyLong_CheckExact(b) || Py_IS_TYPE(b, known.int_term)
                   ? construct_two(self->constructor, a, b)
                   : NULL;
    }
    if (!Py_IS_TYPE(a, calls.bits_term)) {
        return PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b)
                   ? PyObject_RichCompare(a, b, Py_EQ)
                   : NULL;
    }
    PyObject *sort = Py_IS_TYPE(b, calls.bits_term) ? AS_NODE(b)->sort
                     : Py_IS_TYPE(b, known.bits)    ? SLOT(b, known.value_sort)
                                                    : NULL;
    return sort == AS_NODE(a)->sort ? construct_two(self->constructor, a, b) : NULL;
}

static inline int
is_zero(PyObject *value)
{
    return PyLong_CheckExact(value) && Py_SIZE(value) == 0;
}

/* `+` of symbolic ints, of symbolic bitvectors, and of tuples. */
static PyObject *
fast_add(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        return NULL;
    }
    PyObject *a = args[0], *b = args[1];
    int first = Py_IS_TYPE(a, known.int_term), second = Py_IS_TYPE(b, known.int_term);
    if (first ? second || PyLong_CheckExact(b) : second && PyLong_CheckExact(a)) {
        if (is_zero(a) || is_zero(b)) {
            return Py_NewRef(first ? a : b);
        }
        return construct_two(self->constructor, a, b);
    }
    if (Py_IS_TYPE(a, calls.bits_term) && Py_IS_TYPE(b, calls.bits_term)) {
        return AS_NODE(a)->sort == AS_NODE(b)->sort ? construct_two(calls.sum_of_bits, a, b) : NULL;
    }
    return PyTuple_CheckExact(a) && PyTuple_CheckExact(b) ? PySequence_Concat(a, b) : NULL;
}

/* The sum of two operands of which the second is first made negative. */
static PyObject *
difference(Constructor *sum, Constructor *negation, PyObject *a, PyObject *b)
{
    PyObject *negative = construct_one(negation, b);
    PyObject *result = negative == NULL ? NULL : construct_two(sum, a, negative);
    Py_XDECREF(negative);
    return result;
}

/* `-` of symbolic ints, and of symbolic bitvectors of one width. */
static PyObject *
fast_sub(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        return NULL;
    }
    PyObject *a = args[0], *b = args[1];
    if (Py_IS_TYPE(b, known.int_term)) {
        if (PyLong_CheckExact(a)) {
            PyObject *negative = construct_one(calls.negation, b);
            PyObject *result =
                negative == NULL ? NULL : construct_two(self->constructor, negative, a);
            Py_XDECREF(negative);
            return result;
        }
        return Py_IS_TYPE(a, known.int_term) ? difference(self->constructor, calls.negation, a, b)
                                             : NULL;
    }
    if (Py_IS_TYPE(a, calls.bits_term) && Py_IS_TYPE(b, calls.bits_term)) {
        return AS_NODE(a)->sort == AS_NODE(b)->sort
                   ? difference(calls.sum_of_bits, calls.negation_of_bits, a, b)
                   : NULL;
    }
    if (Py_IS_TYPE(a, known.int_term) && PyLong_CheckExact(b)) {
        PyObject *negative = PyNumber_Negative(b);
        PyObject *result = negative == NULL ? NULL : construct_two(self->constructor, a, negative);
        Py_XDECREF(negative);
        return result;
    }
    return NULL;
}

/* An in-place operator of symbolic numbers, for which it is the ordinary one. */
static PyObject *
fast_in_place(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || self->inner == NULL) {
        return NULL;
    }
    for (int place = 0; place < 2; place++) {
        PyObject *value = args[place];
        if (!PyLong_CheckExact(value) && !Py_IS_TYPE(value, known.int_term)
            && !Py_IS_TYPE(value, calls.bits_term)) {
            return NULL;
        }
    }
    return PyObject_Vectorcall(self->inner, args, 2, NULL);
}

/* `*` of symbolic ints. */
static PyObject *
fast_mul(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !Py_IS_TYPE(args[1], known.int_term)) {
        return NULL;
    }
    PyObject *a = args[0], *b = args[1];
    if (!PyLong_CheckExact(a)) {
        return Py_IS_TYPE(a, known.int_term) ? construct_two(self->constructor, a, b) : NULL;
    }
    int overflow;
    long factor = PyLong_AsLongAndOverflow(a, &overflow);
    if (overflow == 0 && factor >= -1 && factor <= 1) {
        return factor < 0 ? construct_one(calls.negation, b) : Py_NewRef(factor == 0 ? a : b);
    }
    return construct_two(self->constructor, a, b);
}

/* What lifted code calls instead of a function, if that is known; NULL without error: ask the
 * reference. */
static PyObject *
called(PyObject *function)
{
    PyTypeObject *type = Py_TYPE(function);
    PyObject *found = NULL;
    if (type == &PyFunction_Type || type == &PyMethod_Type) {
        PyObject *inner = type == &PyMethod_Type ? PyMethod_GET_FUNCTION(function) : function;
        if (!Py_IS_TYPE(inner, &PyFunction_Type)) {
            return NULL;
        }
        PyFunctionObject *known_function = (PyFunctionObject *)inner;
        if (((PyCodeObject *)known_function->func_code)->co_flags & calls.lifted) {
            return Py_NewRef(function);
        }
        if (inner == function && known_function->func_dict != NULL) {
            PyObject *known = known_function->func_dict;
            found = PyDict_GetItemWithError(known, calls.attribute);
            PyObject *owner = found == NULL ? NULL : PyDict_GetItemWithError(known, calls.owner);
            /* What was copied from another function does not count. */
            found = owner == NULL || owner == inner ? found : NULL;
        }
    }
    else if (type == &PyType_Type || type == &PyCFunction_Type) {
        found = PyDict_GetItemWithError(calls.functions, function);
        if (found == NULL && type == &PyType_Type && !PyErr_Occurred()) {
            found = PyDict_GetItemWithError(calls.constructors, function);
        }
    }
    return found == Py_None ? NULL : Py_XNewRef(found);
}

static PyObject *
fast_call_of(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    return count == 1 ? called(args[0]) : NULL;
}

/* `resolve`, which loops keep. */
static PyObject *
fast_resolve(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1 || Py_IS_TYPE(args[0], &PyMethod_Type)) {
        return NULL;
    }
    PyObject *found = called(args[0]);
    PyObject *result = found == NULL ? NULL : PyTuple_Pack(2, args[0], found);
    Py_XDECREF(found);
    return result;
}

/* The slots of lifted iterators: of `zip`, and over sequences. */
static struct {
    PyTypeObject *zip_type, *sequence_type;
    Py_ssize_t sources, strict, source, place, done;
} iterators;

/* Python's own `zip` for a lifted one over tuples of which nothing has been taken, and to which
 * nobody else refers: no path can ask how far it is, so that no step has to be undone. */
static PyObject *
plain_zip(PyObject *zip)
{
    PyObject *sources = SLOT(zip, iterators.sources), *strict = SLOT(zip, iterators.strict);
    if (Py_REFCNT(zip) != 1 || sources == NULL || !PyTuple_CheckExact(sources) || strict == NULL
        || !is_truth(strict)) {
        return NULL;
    }
    Py_ssize_t count = PyTuple_GET_SIZE(sources), length = -1;
    PyObject *tuples = PyTuple_New(count);
    for (Py_ssize_t place = 0; tuples != NULL && place < count; place++) {
        PyObject *each = PyTuple_GET_ITEM(sources, place);
        int fits = Py_IS_TYPE(each, iterators.sequence_type) && Py_REFCNT(each) == 1
                   && SLOT(each, iterators.done) == Py_False
                   && small_in(each, iterators.place) == 0 && SLOT(each, iterators.source) != NULL
                   && PyTuple_CheckExact(SLOT(each, iterators.source));
        if (fits && strict == Py_True) {
            Py_ssize_t found = PyTuple_GET_SIZE(SLOT(each, iterators.source));
            fits = place == 0 || found == length;
            length = found;
        }
        if (!fits) {
            Py_CLEAR(tuples);
            break;
        }
        PyTuple_SET_ITEM(tuples, place, Py_NewRef(SLOT(each, iterators.source)));
    }
    PyObject *result = tuples == NULL ? NULL : PyObject_CallObject((PyObject *)&PyZip_Type, tuples);
    Py_XDECREF(tuples);
    return result;
}

/* `iterate` over what Python itself iterates over. */
static PyObject *
fast_iterate(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *value = count == 1 ? args[0] : Py_None;
    if (Py_IS_TYPE(value, iterators.zip_type)) {
        return plain_zip(value);
    }
    return PyList_CheckExact(value) || PyTuple_CheckExact(value) || PyRange_Check(value)
                   || PyUnicode_CheckExact(value) || PyBytes_CheckExact(value)
               ? Py_NewRef(value)
               : NULL;
}

/* `unpack` of a tuple or list that has as many items on all paths. */
static PyObject *
fast_unpack(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyLong_CheckExact(args[1])
        || !(PyTuple_CheckExact(args[0]) || PyList_CheckExact(args[0]))) {
        return NULL;
    }
    Py_ssize_t length = PySequence_Fast_GET_SIZE(args[0]);
    if (length == 0 || PyLong_AsSsize_t(args[1]) != length
        || Py_IS_TYPE(PySequence_Fast_GET_ITEM(args[0], length - 1), unions.maybe)) {
        PyErr_Clear();
        return NULL;
    }
    return PySequence_Tuple(args[0]);
}

/* What `isinstance` has to know of values that stand for those of other classes. */
static struct {
    PyTypeObject *stand_in;
    PyObject *native;
} instances;

/* `isinstance` of a value that stands for nothing else. */
static PyObject *
fast_is_instance(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || instances.native == NULL) {
        return NULL;
    }
    PyTypeObject *type = Py_TYPE(args[0]);
    if (type == unions.type || Py_IS_TYPE(args[1], unions.type) || IS_NODE_CLASS(type)
        || PyType_IsSubtype(type, instances.stand_in)
        || PyDict_Contains(instances.native, (PyObject *)type) != 0) {
        return NULL;
    }
    int found = PyObject_IsInstance(args[0], args[1]);
    return found < 0 ? NULL : PyBool_FromLong(found);
}

/* `is` of two values that are no choices, and have an identity unless they are one object. */
static PyObject *
fast_is(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || instances.native == NULL || Py_IS_TYPE(args[0], unions.type)
        || Py_IS_TYPE(args[1], unions.type)) {
        return NULL;
    }
    if (args[0] == args[1]) {
        Py_RETURN_TRUE;
    }
    for (int place = 0; place < 2; place++) {
        if (IS_NODE(args[place])
            || PyDict_Contains(instances.native, (PyObject *)Py_TYPE(args[place])) != 0) {
            return NULL;
        }
    }
    Py_RETURN_FALSE;
}

/* `tuple_display`, where all that is spread out are tuples. */
static PyObject *
fast_tuple_display(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 1 || !PyTuple_CheckExact(args[0])) {
        return NULL;
    }
    Py_ssize_t parts = PyTuple_GET_SIZE(args[0]), length = 0;
    for (Py_ssize_t place = 0; place < parts; place++) {
        PyObject *part = PyTuple_GET_ITEM(args[0], place);
        if (!PyTuple_CheckExact(part) || PyTuple_GET_SIZE(part) != 2) {
            return NULL;
        }
        PyObject *value = PyTuple_GET_ITEM(part, 1);
        if (PyTuple_GET_ITEM(part, 0) != Py_True) {
            length++;
        }
        else if (PyTuple_CheckExact(value)) {
            length += PyTuple_GET_SIZE(value);
        }
        else {
            return NULL;
        }
    }
    PyObject *result = PyTuple_New(length);
    Py_ssize_t next = 0;
    for (Py_ssize_t place = 0; result != NULL && place < parts; place++) {
        PyObject *part = PyTuple_GET_ITEM(args[0], place);
        PyObject *value = PyTuple_GET_ITEM(part, 1);
        if (PyTuple_GET_ITEM(part, 0) != Py_True) {
            PyTuple_SET_ITEM(result, next++, Py_NewRef(value));
            continue;
        }
        for (Py_ssize_t item = 0; item < PyTuple_GET_SIZE(value); item++) {
            PyTuple_SET_ITEM(result, next++, Py_NewRef(PyTuple_GET_ITEM(value, item)));
        }
    }
    return result;
}

/* `snapshot` of what never changes. */
static PyObject *
fast_snapshot(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    return count == 1 && (PyTuple_CheckExact(args[0]) || PyUnicode_CheckExact(args[0]))
               ? Py_NewRef(args[0])
               : NULL;
}

/* --- items of lists --------------------------------------------------------------------------- */

/* Where an int points to in a list, if an item is there that is no slot of some paths; or -1. */
static Py_ssize_t
place_in(PyObject *owner, PyObject *key)
{
    if (!PyList_CheckExact(owner) || !PyLong_CheckExact(key)) {
        return -1;
    }
    Py_ssize_t place = PyLong_AsSsize_t(key);
    if (place == -1) {
        PyErr_Clear();
    }
    return place >= 0 && place < PyList_GET_SIZE(owner)
                   && !Py_IS_TYPE(PyList_GET_ITEM(owner, place), unions.maybe)
               ? place
               : -1;
}

/* Whether a bound of a slice is not symbolic. */
static inline int
is_plain_bound(PyObject *bound)
{
    return bound == Py_None || PyLong_CheckExact(bound);
}

/* How values of a class behave, as `lift.values.protocol` knows it. */
static struct {
    PyObject *table, *get_name, *set_name;
} items;

/* Call the method for items of a class that behaves as objects do, if it is known what to call. */
static PyObject *
item_by_method(PyObject *name, PyObject *const *args, size_t count)
{
    PyObject *cls = (PyObject *)Py_TYPE(args[0]);
    if (items.table == NULL || !PyType_CheckExact(cls)) {
        return NULL;
    }
    PyObject *behaviour = PyDict_GetItemWithError(items.table, cls);
    if (behaviour == NULL
        || behaviour != PyDict_GetItemWithError(items.table, (PyObject *)&PyBaseObject_Type)) {
        return NULL;
    }
    PyObject *method = PyObject_GetAttr(cls, name);
    if (method == NULL) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *function = Py_IS_TYPE(method, &PyFunction_Type) ? called(method) : NULL;
    PyObject *result = NULL;
    if (function != NULL) {
        result = PyObject_Vectorcall(function, args, count, NULL);
    }
    Py_XDECREF(function);
    Py_DECREF(method);
    return result;
}

/* Items and slices of lists and tuples whose length is the same on all paths, and of objects. */
static PyObject *
fast_get_item(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        return NULL;
    }
    PyObject *owner = args[0], *key = args[1];
    Py_ssize_t place = place_in(owner, key);
    if (place >= 0) {
        return Py_NewRef(PyList_GET_ITEM(owner, place));
    }
    if (!PyList_CheckExact(owner) && !PyTuple_CheckExact(owner)) {
        return Py_IS_TYPE(key, unions.type) ? NULL : item_by_method(items.get_name, args, 2);
    }
    Py_ssize_t length = PySequence_Fast_GET_SIZE(owner);
    if (length == 0 || Py_IS_TYPE(PySequence_Fast_GET_ITEM(owner, length - 1), unions.maybe)) {
        return NULL;
    }
    PySliceObject *part = PySlice_Check(key) ? (PySliceObject *)key : NULL;
    int is_plain = part == NULL ? PyLong_CheckExact(key)
                                : is_plain_bound(part->start) && is_plain_bound(part->stop)
                                      && is_plain_bound(part->step);
    return is_plain ? PyObject_GetItem(owner, key) : NULL;
}

/* What `vm.journal` remembers writes with. */
static struct {
    PyTypeObject *record_type;
    Py_ssize_t kind, owner, whole, slots;
    PyObject *items, *nothing;
    Py_ssize_t machine_watchers, stats_writes;
} journal;

/* `note_slot` for an item of a list; -1 is an error. */
static int
note_item(PyObject *layer, PyObject *owner, PyObject *key, PyObject *old)
{
    PyObject *identity = PyLong_FromVoidPtr(owner);
    PyObject *place = identity == NULL ? NULL : PyTuple_Pack(2, journal.items, identity);
    Py_XDECREF(identity);
    if (place == NULL) {
        return -1;
    }
    int result = -1;
    PyObject *record = PyDict_GetItemWithError(layer, place);
    if (record == NULL && !PyErr_Occurred()) {
        PyObject *slots = PyDict_New();
        record = slots == NULL ? NULL : journal.record_type->tp_alloc(journal.record_type, 0);
        if (record == NULL || PyDict_SetItem(slots, key, old) < 0) {
            Py_XDECREF(slots);
            Py_XDECREF(record);
        }
        else {
            SLOT(record, journal.kind) = Py_NewRef(journal.items);
            SLOT(record, journal.owner) = Py_NewRef(owner);
            SLOT(record, journal.whole) = Py_NewRef(journal.nothing);
            SLOT(record, journal.slots) = slots;
            result = PyDict_SetItem(layer, place, record);
            Py_DECREF(record);
        }
    }
    else if (record != NULL) {
        PyObject *slots = SLOT(record, journal.slots);
        result = SLOT(record, journal.whole) != journal.nothing
                     ? 0
                     : PyDict_SetDefault(slots, key, old) == NULL ? -1 : 0;
    }
    Py_DECREF(place);
    return result;
}

/* The layer in which a write is to be noted and nobody else is told of it (borrowed), or NULL. */
static PyObject *
layer_for_writes(PyObject *machine)
{
    if (journal.record_type == NULL || state_of(machine) == NULL
        || list_in(machine, journal.machine_watchers) == NULL
        || PyList_GET_SIZE(SLOT(machine, journal.machine_watchers)) != 0) {
        return NULL;
    }
    PyObject *layers = SLOT(machine, forks.machine_layers);
    Py_ssize_t count = PyList_GET_SIZE(layers);
    PyObject *layer = count == 0 ? NULL : PyList_GET_ITEM(layers, count - 1);
    PyObject *stats = SLOT(machine, forks.machine_stats);
    return layer != NULL && PyDict_CheckExact(layer) && stats != NULL
                   && Py_IS_TYPE(stats, unions.stats_type)
               ? layer
               : NULL;
}

/* An item of a list of one length, written with the journal told if a path may undo that. */
static PyObject *
fast_set_item(Fast *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || forks.journaling == NULL) {
        return NULL;
    }
    PyObject *owner = args[0];
    if (!PyList_CheckExact(owner)) {
        return item_by_method(items.set_name, args, 3);
    }
    Py_ssize_t place = place_in(owner, args[1]);
    if (place < 0
        || Py_IS_TYPE(PyList_GET_ITEM(owner, PyList_GET_SIZE(owner) - 1), unions.maybe)) {
        return NULL;
    }
    if (PySet_GET_SIZE(forks.journaling) != 0) {
        PyObject *machine = NULL;
        if (PyContextVar_Get(forks.current, NULL, &machine) < 0) {
            return NULL;
        }
        PyObject *layer = layer_for_writes(machine);
        int done = 0;
        if (layer != NULL) {
            PyObject *old = Py_NewRef(PyList_GET_ITEM(owner, place));
            PyObject *stats = SLOT(machine, forks.machine_stats);
            done = note_item(layer, owner, args[1], old) < 0
                           || add_to(stats, journal.stats_writes, 1) < 0
                       ? -1
                       : 1;
            Py_DECREF(old);
        }
        Py_XDECREF(machine);
        if (done <= 0) {
            return NULL;
        }
    }
    if (PyList_SetItem(owner, place, Py_NewRef(args[2])) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int
fast_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((Fast *)object)->reference);
    Py_VISIT((PyObject *)((Fast *)object)->constructor);
    Py_VISIT(((Fast *)object)->inner);
    return 0;
}

static int
fast_clear(PyObject *object)
{
    Py_CLEAR(((Fast *)object)->reference);
    Py_CLEAR(((Fast *)object)->constructor);
    Py_CLEAR(((Fast *)object)->inner);
    return 0;
}

static void
fast_dealloc(PyObject *object)
{
    PyObject_GC_UnTrack(object);
    fast_clear(object);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *
fast_getattro(PyObject *self, PyObject *name)
{
    PyObject *reference = ((Fast *)self)->reference;
    if (PyUnicode_CompareWithASCIIString(name, "__wrapped__") == 0) {
        return Py_NewRef(reference);
    }
    static const char *const own[] = {"__class__", "__reduce__", "__reduce_ex__", NULL};
    for (int place = 0; own[place] != NULL; place++) {
        if (PyUnicode_CompareWithASCIIString(name, own[place]) == 0) {
            return PyObject_GenericGetAttr(self, name);
        }
    }
    return PyObject_GetAttr(reference, name);
}

/* As a function is, it is pickled by its name. */
static PyObject *
fast_reduce(PyObject *self, PyObject *unused)
{
    return PyObject_GetAttrString(((Fast *)self)->reference, "__qualname__");
}

static PyMethodDef fast_methods[] = {
    {"__reduce__", fast_reduce, METH_NOARGS, NULL},
    {NULL},
};

static PyObject *
fast_repr(PyObject *self)
{
    return PyObject_Repr(((Fast *)self)->reference);
}

static struct {
    const char *name;
    Path path;
} paths[] = {
    {"and_", fast_and},
    {"or_", fast_or},
    {"not_", fast_not},
    {"eq", fast_eq},
    {"ite", fast_ite},
    {"ite_of_sort", fast_ite_of_sort},
    {"ites", fast_ites},
    {"choice", fast_choice},
    {"merge", fast_merge},
    {"merge_tuples", fast_merge_tuples},
    {"merge_members", fast_merge_members},
    {"merge_choices", fast_merge_choices},
    {"union_of", fast_union_of},
    {"group", fast_group},
    {"get_item", fast_get_item},
    {"set_item", fast_set_item},
    {"__init__", fast_fork_open},
    {"flip", fast_fork_flip},
    {"join", fast_fork_join},
    {"test", fast_test},
    {"negation", fast_negation},
    {"equal", fast_equal},
    {"add", fast_add},
    {"mul", fast_mul},
    {"sub", fast_sub},
    {"in_place", fast_in_place},
    {"open_fork", fast_open_fork},
    {"call", fast_call_of},
    {"resolve", fast_resolve},
    {"iterate", fast_iterate},
    {"unpack", fast_unpack},
    {"combine", fast_combine},
    {"is_", fast_is},
    {"tuple_display", fast_tuple_display},
    {"snapshot", fast_snapshot},
    {"is_instance", fast_is_instance},
    {NULL, NULL},
};

static PyObject *
core_fast(PyObject *module, PyObject *args)
{
    PyObject *reference, *constructor = NULL, *name = NULL, *inner = NULL;
    if (!PyArg_ParseTuple(args, "O|OUO", &reference, &constructor, &name, &inner)) {
        return NULL;
    }
    constructor = constructor == Py_None ? NULL : constructor;
    if (constructor != NULL && !Py_IS_TYPE(constructor, &ConstructorType)) {
        PyErr_SetString(PyExc_TypeError, "the constructor of an operator is needed");
        return NULL;
    }
    name = name == NULL ? PyObject_GetAttrString(reference, "__name__") : Py_NewRef(name);
    if (name == NULL) {
        return NULL;
    }
    Path path = NULL;
    for (int row = 0; paths[row].name != NULL; row++) {
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, paths[row].name) == 0) {
            path = paths[row].path;
        }
    }
    if (path == NULL) {
        PyErr_Format(PyExc_ValueError, "%S has no fast path", name);
        Py_DECREF(name);
        return NULL;
    }
    Py_DECREF(name);
    Fast *self = PyObject_GC_New(Fast, &FastType);
    if (self == NULL) {
        return NULL;
    }
    self->call = fast_call;
    self->path = path;
    self->reference = Py_NewRef(reference);
    self->constructor = (Constructor *)Py_XNewRef(constructor);
    self->inner = Py_XNewRef(inner);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static PyTypeObject FastType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Fast",
    .tp_doc = "A function with a fast path.",
    .tp_basicsize = sizeof(Fast),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL
                | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_descr_get = as_method,
    .tp_dealloc = fast_dealloc,
    .tp_traverse = fast_traverse,
    .tp_clear = fast_clear,
    .tp_getattro = fast_getattro,
    .tp_methods = fast_methods,
    .tp_repr = fast_repr,
    .tp_vectorcall_offset = offsetof(Fast, call),
    .tp_call = PyVectorcall_Call,
};

/* --- the module ------------------------------------------------------------------------------- */

/* Whether the caller may use the core: the first one only, since what `setup_...` tells is kept once
 * in a process.  A subinterpreter, or a second copy of the modules, gets the core in Python. */
static PyObject *
core_claim(PyObject *module, PyObject *unused)
{
    static int is_claimed = 0;
    if (is_claimed) {
        Py_RETURN_FALSE;
    }
    is_claimed = 1;
    Py_RETURN_TRUE;
}

/* Say where the slots of operators, sorts and values are, and which constants are what. */
static PyObject *
core_setup_terms(PyObject *module, PyObject *args)
{
    PyObject *op, *sort, *bits, *constant_op, *int_sort, *real_sort, *fraction, *bits_sort;
    PyObject *coerce_bits;
    if (!PyArg_ParseTuple(args, "O!O!O!OOOO!O!O", &PyType_Type, &op, &PyType_Type, &sort,
                          &PyType_Type, &bits, &constant_op, &int_sort, &real_sort, &PyType_Type,
                          &fraction, &PyType_Type, &bits_sort, &coerce_bits)) {
        return NULL;
    }
    known.op_base = offset_of(op, "base");
    known.sort_term_class = offset_of(sort, "term_class");
    known.sort_ite_op = offset_of(sort, "ite_op");
    known.value_sort = offset_of(bits, "sort");
    known.value_bits = offset_of(bits, "value");
    known.numerator = offset_of(fraction, "_numerator");
    known.denominator = offset_of(fraction, "_denominator");
    if (PyErr_Occurred()) {
        return NULL;
    }
    known.op_type = (PyTypeObject *)Py_NewRef(op);
    known.sort_type = (PyTypeObject *)Py_NewRef(sort);
    known.bits = (PyTypeObject *)Py_NewRef(bits);
    known.constant_op = Py_NewRef(constant_op);
    known.int_sort = Py_NewRef(int_sort);
    known.real_sort = Py_NewRef(real_sort);
    known.fraction = (PyTypeObject *)Py_NewRef(fraction);
    known.bits_sort_type = (PyTypeObject *)Py_NewRef(bits_sort);
    known.coerce_bits = Py_NewRef(coerce_bits);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_booleans(PyObject *module, PyObject *args)
{
    PyObject *bool_term, *bool_sort, *not_op, *and_constructor, *not_constructor, *ite_reference;
    PyObject *bool_ite_rules, *ite_rules;
    if (!PyArg_ParseTuple(args, "O!OOO!O!OO!O!", &PyType_Type, &bool_term, &bool_sort, &not_op,
                          &ConstructorType, &and_constructor, &ConstructorType, &not_constructor,
                          &ite_reference, &PyList_Type, &bool_ite_rules, &PyList_Type,
                          &ite_rules)) {
        return NULL;
    }
    known.bool_ite_rules = Py_NewRef(bool_ite_rules);
    known.ite_rules = Py_NewRef(ite_rules);
    known.and_constructor = (Constructor *)Py_NewRef(and_constructor);
    known.not_constructor = (Constructor *)Py_NewRef(not_constructor);
    known.ite_reference = Py_NewRef(ite_reference);
    known.bool_term = (PyTypeObject *)Py_NewRef(bool_term);
    known.bool_sort = Py_NewRef(bool_sort);
    known.not_op = Py_NewRef(not_op);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_merging(PyObject *module, PyObject *args)
{
    PyObject *int_term, *merge_reference, *members_reference;
    if (!PyArg_ParseTuple(args, "O!OO", &PyType_Type, &int_term, &merge_reference,
                          &members_reference)) {
        return NULL;
    }
    known.members_reference = Py_NewRef(members_reference);
    known.int_term = (PyTypeObject *)Py_NewRef(int_term);
    known.merge_reference = Py_NewRef(merge_reference);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_shapes(PyObject *module, PyObject *args)
{
    if (!PyArg_ParseTuple(args, "OO!O!O!O!O!O!", &shapes.reference, &PyDict_Type, &shapes.fixed,
                          &PySet_Type, &shapes.references, &PyDict_Type, &shapes.tuples,
                          &PyDict_Type, &shapes.named, &PyDict_Type, &shapes.sorts,
                          &PyFrozenSet_Type, &shapes.theory)) {
        return NULL;
    }
    PyObject *kept[] = {shapes.reference, shapes.fixed, shapes.references, shapes.tuples,
                        shapes.named,     shapes.sorts, shapes.theory};
    for (size_t place = 0; place < sizeof(kept) / sizeof(*kept); place++) {
        Py_INCREF(kept[place]);
    }
    for (int rank = 0; rank < RANKS; rank++) {
        shapes.ranks[rank] = PyLong_FromLong(rank);
    }
    shapes.str_name = PyUnicode_InternFromString("str");
    shapes.bytes_name = PyUnicode_InternFromString("bytes");
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
core_setup_unions(PyObject *module, PyObject *args)
{
    PyObject *globals, *type, *maybe, *string_term, *stats_type, *stats, *spelled;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!OO!n", &PyDict_Type, &globals, &PyType_Type, &type,
                          &PyType_Type, &maybe, &PyType_Type, &string_term, &PyType_Type,
                          &stats_type, &stats, &PySet_Type, &spelled, &unions.many_atoms)) {
        return NULL;
    }
    unions.union_of_name = PyUnicode_InternFromString("union_of");
    unions.merge_choices_name = PyUnicode_InternFromString("merge_choices");
    unions.group_name = PyUnicode_InternFromString("group");
    unions.members_name = PyUnicode_InternFromString("merge_members");
    unions.choices = offset_of(type, "_solvent_choices");
    unions.stats_unions = offset_of(stats_type, "unions");
    unions.stats_sizes = offset_of(stats_type, "union_sizes");
    unions.stats_largest = offset_of(stats_type, "largest_union");
    unions.stats_listeners = offset_of(stats_type, "listeners");
    if (PyErr_Occurred()) {
        return NULL;
    }
    unions.globals = Py_NewRef(globals);
    unions.type = (PyTypeObject *)Py_NewRef(type);
    unions.maybe = (PyTypeObject *)Py_NewRef(maybe);
    unions.string_term = (PyTypeObject *)Py_NewRef(string_term);
    unions.stats_type = (PyTypeObject *)Py_NewRef(stats_type);
    unions.stats = Py_NewRef(stats);
    unions.spelled = Py_NewRef(spelled);
    Py_RETURN_NONE;
}

/* Offsets of slots by the names of their class. */
static int
set_offsets(PyObject *cls, const char *const *names, Py_ssize_t *const *offsets)
{
    for (; *names != NULL; names++, offsets++) {
        **offsets = offset_of(cls, *names);
        if (**offsets < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
core_setup_forks(PyObject *module, PyObject *args)
{
    PyObject *fork, *machine, *state, *path;
    if (!PyArg_ParseTuple(args, "O!O!O!O!OO!OOOO!O!", &PyType_Type, &fork, &PyType_Type, &machine,
                          &PyType_Type, &state, &PyType_Type, &path, &forks.current, &PySet_Type,
                          &forks.journaling, &forks.merge_owned, &forks.on_first_side,
                          &forks.on_second_side, &PyFrozenSet_Type, &forks.values, &PyDict_Type,
                          &forks.plain_instances)) {
        return NULL;
    }
    static const char *const of_fork[] = {
        "code",    "condition", "dead",  "effects", "first", "first_path", "first_start", "flipped",
        "frame",   "layer",     "machine", "path",  "saved", "scopes",     NULL};
    Py_ssize_t *const fork_offsets[] = {
        &forks.code,        &forks.condition, &forks.dead,  &forks.effects, &forks.first,
        &forks.first_path,  &forks.first_start, &forks.flipped, &forks.frame, &forks.layer,
        &forks.machine,     &forks.path,      &forks.saved, &forks.scopes};
    static const char *const of_machine[] = {"waiting", "layers", "scopes", "forks",
                                             "state",   "stats",  NULL};
    Py_ssize_t *const machine_offsets[] = {&forks.machine_waiting, &forks.machine_layers,
                                           &forks.machine_scopes,  &forks.machine_forks,
                                           &forks.machine_state,   &forks.machine_stats};
    static const char *const of_path[] = {"parent", "decision", "holds", "_term", NULL};
    Py_ssize_t *const path_offsets[] = {&forks.path_parent, &forks.path_decision, &forks.path_holds,
                                        &forks.path_term};
    static const char *const of_state[] = {"path", NULL};
    Py_ssize_t *const state_offsets[] = {&forks.state_path};
    static const char *const of_stats[] = {"joins", "forks", NULL};
    Py_ssize_t *const stats_offsets[] = {&forks.stats_joins, &forks.stats_forks};
    if (set_offsets(fork, of_fork, fork_offsets) < 0
        || set_offsets(machine, of_machine, machine_offsets) < 0
        || set_offsets(path, of_path, path_offsets) < 0
        || set_offsets(state, of_state, state_offsets) < 0
        || set_offsets((PyObject *)unions.stats_type, of_stats, stats_offsets) < 0) {
        return NULL;
    }
    forks.fork_type = (PyTypeObject *)Py_NewRef(fork);
    forks.machine_type = (PyTypeObject *)Py_NewRef(machine);
    forks.state_type = (PyTypeObject *)Py_NewRef(state);
    forks.path_type = (PyTypeObject *)Py_NewRef(path);
    Py_INCREF(forks.current);
    Py_INCREF(forks.journaling);
    Py_INCREF(forks.merge_owned);
    Py_INCREF(forks.on_first_side);
    Py_INCREF(forks.on_second_side);
    Py_INCREF(forks.values);
    Py_INCREF(forks.plain_instances);
    Py_RETURN_NONE;
}

/* --- the probe of the profiler ---------------------------------------------------------------- */

/* `vm.probe` is the reference and says what is measured; only one profile is taken at a time. */

enum { TIME, VISITS, TERMS, RECURSIONS, CHARGED, COUNTED = 7, MEASURES = 12 };
#define COUNTERS (MEASURES - COUNTED)
/* How often the processor's time is read, in nanoseconds: reading it is slow. */
#define WINDOW 2000000
#define DEEPEST 100000
/* How many runs inside of each other are told apart. */
#define MOST_TRACKED 64
/* Reading the clock takes as long as adding two small numbers.  A light place that was quick some
 * times in a row, in nanoseconds, goes without for a while: then one reading is for several visits,
 * which have shares of it as they usually take.  Anywhere else a visit may take long now and then. */
#define QUICK 400
#define QUICK_TIMES 8
#define UNTIMED_VISITS 250
/* What may wait for a reading: so many lines, and as much time as they should have taken. */
#define MOST_WAITING 64
#define LONGEST_WAIT 4000
/* A reading of so many times as much means that one of them is not quick any more. */
#define NOT_QUICK 4

typedef struct {
    int64_t measures[MEASURES];
    /* What a visit takes, and visits that wait for a reading of the clock. */
    int64_t usual, waiting;
    /* How many visits were quick in a row, and how many may still go without the clock. */
    int streak, untimed;
} Cell;

typedef struct {
    Py_ssize_t parent, line, function, cells, calls, child, sibling;
} Context;

/* Where the cells of its context begin is here too, since it is needed at each line. */
typedef struct {
    Py_ssize_t context, cell, function, cells;
} Activation;

typedef struct {
    PyObject *stats;
    int64_t base[COUNTERS];
    /* The counters when they were read: the same objects are the same numbers. */
    PyObject *seen[COUNTERS];
} Tracked;

static struct {
    int active;
    uintptr_t thread;
    /* Grown as needed: functions stay for good, all else is of one profile. */
    Py_ssize_t *functions;
    Cell *cells;
    Context *contexts;
    Activation *stack;
    Tracked *tracked;
    int64_t *log;
    Py_ssize_t function_count, cell_count, context_count, depth, tracked_count, log_count;
    Py_ssize_t function_room, cell_room, context_room, stack_room, tracked_room, log_room;
    Py_ssize_t current, terms, slots[COUNTERS];
    uint64_t ticks;
    double scale;
    int64_t window, largest, processor;
    Py_ssize_t largest_cell;
    /* Whether the run that is tracked last is the one that goes on. */
    int settled;
    /* Whether what is running now is light, see `rewrite/light.py`. */
    int light;
    Py_ssize_t waiting[MOST_WAITING], waiting_count;
    int64_t expected;
} probe;

#if defined(__linux__) && defined(__has_builtin)
#if __has_builtin(__builtin_thread_pointer)
#define THREAD_POINTER 1
#endif
#endif

/* What tells threads apart, at each probe: one instruction where that is possible. */
static inline uintptr_t
this_thread(void)
{
#ifdef THREAD_POINTER
    return (uintptr_t)__builtin_thread_pointer();
#else
    return (uintptr_t)PyThread_get_thread_ident();
#endif
}

static uint64_t
read_ticks(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static int64_t
processor_time(void)
{
#ifdef CLOCK_PROCESS_CPUTIME_ID
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#else
    return (int64_t)((double)clock() * (1e9 / CLOCKS_PER_SEC));
#endif
}

/* Nanoseconds of a tick, found by waiting for a moment. */
static double
tick_scale(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    struct timespec start, now;
    timespec_get(&start, TIME_UTC);
    uint64_t from = read_ticks();
    double waited;
    do {
        timespec_get(&now, TIME_UTC);
        waited = (double)(now.tv_sec - start.tv_sec) * 1e9 + (double)(now.tv_nsec - start.tv_nsec);
    } while (waited >= 0 && waited < 1e6);
    double ticks = (double)(read_ticks() - from);
    return ticks > 0 && waited > 0 ? waited / ticks : 1.0;
#else
    return 1.0;
#endif
}

/* Let an array have room for so many items; what it points to is as it was if that fails. */
static int
reserve(void **array, Py_ssize_t *room, Py_ssize_t needed, size_t size)
{
    if (needed <= *room) {
        return 1;
    }
    Py_ssize_t wanted = *room < 64 ? 64 : *room * 2;
    if (wanted < needed) {
        wanted = needed;
    }
    void *result = PyMem_Realloc(*array, (size_t)wanted * size);
    if (result == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    *array = result;
    *room = wanted;
    return 1;
}

#define RESERVE(array, count, room) \
    reserve((void **)&(array), &(room), (count), sizeof *(array))

/* What the processor did in a window that the clock did not see, or the other way round: other
 * processes ran, or a solver was waited for.  Such a gap is in the longest stretch. */
static void
settle_window(void)
{
    int64_t now = processor_time();
    if (probe.window > 0) {
        probe.cells[probe.largest_cell].measures[TIME] += now - probe.processor - probe.window;
    }
    probe.processor = now;
    probe.window = probe.largest = 0;
    probe.ticks = read_ticks();
}

static void
add_counts(Tracked *tracked, int64_t *measures)
{
    for (int place = 0; place < COUNTERS; place++) {
        PyObject *counter = SLOT(tracked->stats, probe.slots[place]);
        if (counter != tracked->seen[place] && counter != NULL && PyLong_CheckExact(counter)) {
            int64_t value = PyLong_AsLongLong(counter);
            measures[COUNTED + place] += value - tracked->base[place];
            tracked->base[place] = value;
            Py_XSETREF(tracked->seen[place], Py_NewRef(counter));
        }
    }
}

static void
forget_tracked(Tracked *tracked)
{
    Py_DECREF(tracked->stats);
    for (int place = 0; place < COUNTERS; place++) {
        Py_XDECREF(tracked->seen[place]);
    }
}

/* The statistics of the run that is going on now, if they are not those of before. */
static int
track(PyObject *stats, int64_t *measures)
{
    for (Py_ssize_t place = probe.tracked_count - 1; place >= 0; place--) {
        if (probe.tracked[place].stats == stats) {
            /* What counts is the last one. */
            Tracked found = probe.tracked[place];
            probe.tracked[place] = probe.tracked[probe.tracked_count - 1];
            probe.tracked[probe.tracked_count - 1] = found;
            add_counts(&probe.tracked[probe.tracked_count - 1], measures);
            return 0;
        }
    }
    if (probe.tracked_count == MOST_TRACKED) {
        /* The run that was seen last of all is over. */
        forget_tracked(&probe.tracked[0]);
        memmove(probe.tracked, probe.tracked + 1, --probe.tracked_count * sizeof(Tracked));
    }
    if (!RESERVE(probe.tracked, probe.tracked_count + 1, probe.tracked_room)) {
        return -1;
    }
    Tracked *added = &probe.tracked[probe.tracked_count++];
    memset(added, 0, sizeof *added);
    added->stats = Py_NewRef(stats);
    add_counts(added, measures);
    return 0;
}

/* Divide up what the clock says between the visits that waited for it and the line that runs;
 * what is left is for the latter. */
static int64_t
after_waiting(int64_t passed, Cell *cell)
{
    if (probe.waiting_count == 0) {
        return passed;
    }
    int64_t known = probe.expected + (probe.light ? cell->usual : 0);
    /* It was another process, or one of them: what is too much is the last one's. */
    int slow = probe.light && passed > NOT_QUICK * known;
    int shared = !slow && (probe.light || passed < known);
    double share = shared ? (double)passed / (double)known : 1;
    int64_t left = passed;
    while (probe.waiting_count > 0) {
        Cell *waited = &probe.cells[probe.waiting[--probe.waiting_count]];
        int64_t part = waited->waiting * waited->usual;
        if (shared) {
            part = (int64_t)((double)part * share);
        }
        waited->measures[TIME] += part;
        left -= part;
        waited->waiting = 0;
        if (slow) {
            waited->streak = waited->untimed = 0;
        }
    }
    probe.expected = 0;
    return left;
}

/* A visit was timed: see whether the next ones need to be. */
static void
note_time(Cell *cell, int64_t passed)
{
    if (passed >= QUICK) {
        cell->streak = cell->untimed = 0;
        return;
    }
    cell->usual = cell->streak == 0 ? passed : (3 * cell->usual + passed) / 4;
    if (cell->usual < 1) {
        cell->usual = 1;
    }
    if (++cell->streak >= QUICK_TIMES) {
        cell->untimed = UNTIMED_VISITS;
        cell->streak = 0;
    }
}

/* See which run goes on now, and count for it. */
static int
find_run(Tracked *last, int64_t *measures)
{
    PyObject *stats = NULL;
    if (PyContextVar_Get(unions.stats, NULL, &stats) < 0) {
        return -1;
    }
    int done = 0;
    if (stats != NULL) {
        if ((last == NULL || last->stats != stats) && Py_IS_TYPE(stats, unions.stats_type)) {
            done = track(stats, measures);
        }
        Py_DECREF(stats);
    }
    return done;
}

/* Give what has happened since the last time to the line that was running. */
static int
flush(void)
{
    int64_t *measures = probe.cells[probe.current].measures;
    Py_ssize_t made = numbers.next - probe.terms;
    if (made > 0) {
        probe.terms = numbers.next;
        measures[TERMS] += made;
        if (probe.log_count > 0 && probe.log[probe.log_count - 1] == probe.current) {
            probe.log[probe.log_count - 2] = numbers.next;
        }
        else {
            if (!RESERVE(probe.log, probe.log_count + 2, probe.log_room)) {
                return -1;
            }
            probe.log[probe.log_count++] = numbers.next;
            probe.log[probe.log_count++] = probe.current;
        }
    }
    Tracked *last = probe.tracked_count ? &probe.tracked[probe.tracked_count - 1] : NULL;
    if (last != NULL) {
        add_counts(last, measures);
    }
    if (!probe.settled && find_run(last, measures) < 0) {
        return -1;
    }
    uint64_t now = read_ticks();
    int64_t passed = (int64_t)((double)(now - probe.ticks) * probe.scale);
    probe.ticks = now;
    probe.window += passed;
    Cell *cell = &probe.cells[probe.current];
    passed = after_waiting(passed, cell);
    if (probe.light) {
        note_time(cell, passed);
    }
    measures[TIME] += passed;
    if (passed > probe.largest) {
        probe.largest = passed;
        probe.largest_cell = probe.current;
    }
    if (probe.window > WINDOW) {
        settle_window();
    }
    return 0;
}

/* The line that was running is over: what it did is counted, now or with that of others.  What is
 * light makes nothing that could be counted. */
static int
pass_on(void)
{
    Cell *cell = &probe.cells[probe.current];
    if (probe.light && cell->untimed > 0 && probe.expected < LONGEST_WAIT
        && probe.waiting_count < MOST_WAITING) {
        cell->untimed--;
        if (cell->waiting++ == 0) {
            probe.waiting[probe.waiting_count++] = probe.current;
        }
        probe.expected += cell->usual;
        return 0;
    }
    int done = flush();
    probe.settled = 1;
    return done;
}

/* The context of a function that is called now; one that is called again inside of itself has the
 * context that it had, so that recursion makes no new ones. */
static Py_ssize_t
context_for(Py_ssize_t function)
{
    Py_ssize_t here = probe.depth ? probe.stack[probe.depth - 1].context : -1;
    Py_ssize_t line = here < 0 ? 0 : probe.current - probe.contexts[here].cells;
    Py_ssize_t known = here < 0 ? -1 : probe.contexts[here].child;
    /* What was called from here before was none of those above. */
    for (; known >= 0; known = probe.contexts[known].sibling) {
        if (probe.contexts[known].function == function && probe.contexts[known].line == line) {
            return known;
        }
    }
    for (Py_ssize_t above = here; above >= 0; above = probe.contexts[above].parent) {
        if (probe.contexts[above].function == function) {
            probe.cells[probe.current].measures[RECURSIONS]++;
            return above;
        }
    }
    Py_ssize_t count = probe.functions[function];
    if (!RESERVE(probe.contexts, probe.context_count + 1, probe.context_room)
        || !RESERVE(probe.cells, probe.cell_count + count, probe.cell_room)) {
        return -1;
    }
    memset(&probe.cells[probe.cell_count], 0, (size_t)count * sizeof(Cell));
    Py_ssize_t made = probe.context_count++;
    Context *context = &probe.contexts[made];
    *context = (Context){here, line, function, probe.cell_count, 0, -1, -1};
    if (here >= 0) {
        context->sibling = probe.contexts[here].child;
        probe.contexts[here].child = made;
    }
    probe.cell_count += count;
    return made;
}

static int
is_probed(void)
{
    return probe.active && this_thread() == probe.thread;
}

static Py_ssize_t
enter(Py_ssize_t function, Py_ssize_t place, int light)
{
    if (function < 0 || function >= probe.function_count || probe.depth >= DEEPEST) {
        return -1;
    }
    if (probe.depth && pass_on() < 0) {
        return -2;
    }
    Py_ssize_t context = context_for(function);
    if (context < 0 || !RESERVE(probe.stack, probe.depth + 1, probe.stack_room)) {
        return -2;
    }
    probe.contexts[context].calls++;
    Py_ssize_t cells = probe.contexts[context].cells;
    probe.current = cells + (place < 0 ? 0 : place);
    probe.cells[probe.current].measures[VISITS] += place >= 0;
    probe.light = light;
    probe.stack[probe.depth] = (Activation){context, probe.current, function, cells};
    return probe.depth++;
}

/* A function ends; the one at the bottom is left when the profile ends. */
static int
leave(Py_ssize_t depth)
{
    if (depth > 0 && is_probed() && depth < probe.depth) {
        if (pass_on() < 0) {
            return -1;
        }
        probe.depth = depth;
        probe.current = probe.stack[depth - 1].cell;
        probe.light = 0;
    }
    return 0;
}

/* A run begins, or what else is no function of the user; then another run may be the one that is
 * tracked. */
static PyObject *
probe_enter(PyObject *self, PyObject *function)
{
    Py_ssize_t number = PyLong_AsSsize_t(function);
    if (number == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (!is_probed()) {
        return PyLong_FromLong(-1);
    }
    probe.settled = 0;
    Py_ssize_t depth = enter(number, -1, 0);
    probe.settled = 0;
    return depth < -1 ? NULL : PyLong_FromSsize_t(depth);
}

static PyObject *
probe_leave(PyObject *self, PyObject *argument)
{
    Py_ssize_t depth = PyLong_AsSsize_t(argument);
    if (depth == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (is_probed()) {
        probe.settled = 0;
        if (leave(depth) < 0) {
            return NULL;
        }
        probe.settled = 0;
    }
    Py_RETURN_NONE;
}

/* Let the last activation of a function be the one that goes on; those above it are over. */
static Activation *
activation_of(Py_ssize_t function)
{
    for (Py_ssize_t depth = probe.depth - 1; depth >= 0; depth--) {
        if (probe.stack[depth].function == function) {
            probe.depth = depth + 1;
            return &probe.stack[depth];
        }
    }
    return NULL;
}

/* A line, or several that run one after the other, of a function. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t function, place;
    int light;
} Point;

/* Go on at a point. */
static int
go_on(Point *point, int visits)
{
    if (!is_probed()) {
        return 0;
    }
    Activation *top = &probe.stack[probe.depth - 1];
    if (top->function != point->function) {
        top = activation_of(point->function);
        if (top == NULL) {
            return 0;
        }
    }
    if (pass_on() < 0) {
        return -1;
    }
    probe.current = top->cell = top->cells + point->place;
    probe.light = point->light;
    probe.cells[probe.current].measures[VISITS] += visits;
    return 0;
}

/* `+point`: a line is visited. */
static PyObject *
point_visited(PyObject *self)
{
    if (go_on((Point *)self, 1) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* `-point and ...`: this belongs to a line that was visited before. */
static PyObject *
point_resumed(PyObject *self)
{
    if (go_on((Point *)self, 0) < 0) {
        return NULL;
    }
    Py_RETURN_TRUE;
}

static PyNumberMethods point_numbers = {
    .nb_positive = point_visited,
    .nb_negative = point_resumed,
};

static PyTypeObject PointType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Point",
    .tp_basicsize = sizeof(Point),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_number = &point_numbers,
};

static PyObject *
probe_point(PyObject *self, PyObject *args)
{
    Py_ssize_t function, place;
    int light;
    if (!PyArg_ParseTuple(args, "nnp", &function, &place, &light)) {
        return NULL;
    }
    if (function < 0 || function >= probe.function_count || place < 0
        || place >= probe.functions[function]) {
        PyErr_SetString(PyExc_ValueError, "there is no such place");
        return NULL;
    }
    Point *point = PyObject_New(Point, &PointType);
    if (point != NULL) {
        point->function = function;
        point->place = place;
        point->light = light;
    }
    return (PyObject *)point;
}

/* A function: `+entry` when it starts, at a point or none, `-entry` when it goes on after a `yield`, and
 * `entry @ depth` when it ends. */
typedef struct {
    PyObject_HEAD
    Py_ssize_t function, place;
    int light;
} Entry;

static PyObject *
entry_resumed(PyObject *self)
{
    Py_ssize_t depth = is_probed() ? enter(((Entry *)self)->function, -1, 0) : -1;
    return depth < -1 ? NULL : PyLong_FromSsize_t(depth);
}

static PyObject *
entry_entered(PyObject *self)
{
    Entry *entry = (Entry *)self;
    Py_ssize_t depth = is_probed() ? enter(entry->function, entry->place, entry->light) : -1;
    return depth < -1 ? NULL : PyLong_FromSsize_t(depth);
}

static PyObject *
entry_left(PyObject *self, PyObject *argument)
{
    Py_ssize_t depth = PyLong_AsSsize_t(argument);
    if ((depth == -1 && PyErr_Occurred()) || leave(depth) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyNumberMethods entry_numbers = {
    .nb_positive = entry_entered,
    .nb_negative = entry_resumed,
    .nb_matrix_multiply = entry_left,
};

static PyTypeObject EntryType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Entry",
    .tp_basicsize = sizeof(Entry),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_number = &entry_numbers,
};

static PyObject *
probe_entry(PyObject *self, PyObject *args)
{
    Py_ssize_t function;
    PyObject *first;
    if (!PyArg_ParseTuple(args, "nO", &function, &first)) {
        return NULL;
    }
    Entry *entry = PyObject_New(Entry, &EntryType);
    if (entry != NULL) {
        int placed = Py_IS_TYPE(first, &PointType) && ((Point *)first)->function == function;
        entry->function = function;
        entry->place = placed ? ((Point *)first)->place : -1;
        entry->light = placed ? ((Point *)first)->light : 0;
    }
    return (PyObject *)entry;
}

/* The items of a loop: taking one belongs to its line, then its body goes on. */
typedef struct {
    PyObject_HEAD
    PyObject *items;
    Point *line, *body;
    /* Whether taking an item is next to nothing, and whether one was taken. */
    int plain, started;
} Each;

/* An item is there: its visit of the loop's line is one with the visit that began the loop, if it is
 * the first; then it is taken back. */
static int
begin_body(Each *each)
{
    if (go_on(each->body, 1) < 0) {
        return -1;
    }
    if (!each->started && is_probed()) {
        Activation *top = &probe.stack[probe.depth - 1];
        if (top->function == each->line->function) {
            probe.cells[top->cells + each->line->place].measures[VISITS]--;
        }
    }
    each->started = 1;
    return 0;
}

static PyObject *
each_next(PyObject *self)
{
    Each *each = (Each *)self;
    if (!each->plain && go_on(each->line, 0) < 0) {
        return NULL;
    }
    PyObject *item = Py_TYPE(each->items)->tp_iternext(each->items);
    if (item == NULL ? !PyErr_Occurred() && go_on(each->line, each->started) < 0
                     : begin_body(each) < 0) {
        Py_XDECREF(item);
        return NULL;
    }
    return item;
}

static int
each_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Each *)self)->items);
    return 0;
}

static int
each_clear(PyObject *self)
{
    Py_CLEAR(((Each *)self)->items);
    return 0;
}

static void
each_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    each_clear(self);
    Py_DECREF(((Each *)self)->line);
    Py_DECREF(((Each *)self)->body);
    PyObject_GC_Del(self);
}

static PyTypeObject EachType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Each",
    .tp_basicsize = sizeof(Each),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_dealloc = each_dealloc,
    .tp_traverse = each_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = each_next,
};

static PyObject *
probe_each(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !Py_IS_TYPE(args[1], &PointType) || !Py_IS_TYPE(args[2], &PointType)) {
        PyErr_SetString(PyExc_TypeError, "each takes an iterable and two points");
        return NULL;
    }
    PyObject *items = PyObject_GetIter(args[0]);
    if (items == NULL) {
        return NULL;
    }
    Each *each = PyObject_GC_New(Each, &EachType);
    if (each == NULL) {
        Py_DECREF(items);
        return NULL;
    }
    each->items = items;
    each->started = 0;
    each->line = (Point *)Py_NewRef(args[1]);
    each->body = (Point *)Py_NewRef(args[2]);
    each->plain = Py_IS_TYPE(items, &PyRangeIter_Type) || Py_IS_TYPE(items, &PyListIter_Type)
                  || Py_IS_TYPE(items, &PyTupleIter_Type);
    PyObject_GC_Track(each);
    return (PyObject *)each;
}

/* Another run goes on: its statistics are to be found. */
static PyObject *
probe_changed(PyObject *self, PyObject *unused)
{
    if (is_probed()) {
        probe.settled = 0;
    }
    Py_RETURN_NONE;
}

static PyObject *
probe_charge(PyObject *self, PyObject *args)
{
    int measure;
    long long amount;
    if (!PyArg_ParseTuple(args, "iL", &measure, &amount)) {
        return NULL;
    }
    if (measure < CHARGED || measure >= COUNTED) {
        PyErr_SetString(PyExc_ValueError, "this is measured otherwise");
        return NULL;
    }
    if (is_probed()) {
        probe.cells[probe.current].measures[measure] += amount;
    }
    Py_RETURN_NONE;
}

static PyObject *
probe_function(PyObject *self, PyObject *argument)
{
    Py_ssize_t places = PyLong_AsSsize_t(argument);
    if (places == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (places < 1 || places > 1000000) {
        PyErr_SetString(PyExc_ValueError, "a function has lines");
        return NULL;
    }
    if (!RESERVE(probe.functions, probe.function_count + 1, probe.function_room)) {
        return NULL;
    }
    probe.functions[probe.function_count] = places;
    return PyLong_FromSsize_t(probe.function_count++);
}

/* A place more in a function that has not run yet. */
static PyObject *
probe_place(PyObject *self, PyObject *argument)
{
    Py_ssize_t function = PyLong_AsSsize_t(argument);
    if (function == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (function < 0 || function >= probe.function_count) {
        PyErr_SetString(PyExc_ValueError, "there is no such function");
        return NULL;
    }
    return PyLong_FromSsize_t(probe.functions[function]++);
}

static PyObject *
probe_start(PyObject *self, PyObject *bottom)
{
    Py_ssize_t function = PyLong_AsSsize_t(bottom);
    if (function == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (probe.active || function < 0 || function >= probe.function_count) {
        PyErr_SetString(PyExc_RuntimeError, "a profile is being taken already");
        return NULL;
    }
    probe.cell_count = probe.context_count = probe.depth = probe.log_count = 0;
    probe.thread = this_thread();
    if (enter(function, -1, 0) < 0) {
        return NULL;
    }
    PyObject *stats = NULL;
    if (PyContextVar_Get(unions.stats, NULL, &stats) < 0) {
        return NULL;
    }
    if (stats != NULL) {
        int64_t before[MEASURES];
        int done = Py_IS_TYPE(stats, unions.stats_type) ? track(stats, before) : 0;
        Py_DECREF(stats);
        if (done < 0) {
            return NULL;
        }
    }
    if (probe.scale == 0) {
        probe.scale = tick_scale();
    }
    probe.active = 1;
    probe.terms = numbers.next;
    probe.window = probe.expected = 0;
    probe.waiting_count = probe.settled = 0;
    settle_window();
    Py_RETURN_NONE;
}

static PyObject *
probe_stop(PyObject *self, PyObject *unused)
{
    if (!probe.active) {
        PyErr_SetString(PyExc_RuntimeError, "no profile is being taken");
        return NULL;
    }
    probe.settled = 0;
    int done = flush();
    settle_window();
    probe.active = 0;
    while (probe.tracked_count > 0) {
        forget_tracked(&probe.tracked[--probe.tracked_count]);
    }
    PyObject *contexts = done < 0 ? NULL : PyList_New(probe.context_count);
    for (Py_ssize_t place = 0; contexts != NULL && place < probe.context_count; place++) {
        Context *found = &probe.contexts[place];
        PyObject *row = Py_BuildValue("(nnnnn)", found->parent, found->line, found->function,
                                      found->cells, found->calls);
        if (row == NULL) {
            Py_CLEAR(contexts);
        }
        else {
            PyList_SET_ITEM(contexts, place, row);
        }
    }
    if (contexts == NULL) {
        return NULL;
    }
    const Py_ssize_t width = sizeof probe.cells[0].measures;
    PyObject *cells = PyBytes_FromStringAndSize(NULL, probe.cell_count * width);
    if (cells == NULL) {
        Py_DECREF(contexts);
        return NULL;
    }
    for (Py_ssize_t place = 0; place < probe.cell_count; place++) {
        memcpy(PyBytes_AS_STRING(cells) + place * width, probe.cells[place].measures, (size_t)width);
    }
    /* Without a single entry there is no memory either, which would be None. */
    return Py_BuildValue("(NNy#)", contexts, cells, probe.log ? (char *)probe.log : "",
                         probe.log_count * (Py_ssize_t)sizeof(int64_t));
}

static PyObject *
probe_setup(PyObject *self, PyObject *args)
{
    PyObject *names;
    if (!PyArg_ParseTuple(args, "O!", &PyTuple_Type, &names)) {
        return NULL;
    }
    if (unions.stats_type == NULL || PyTuple_GET_SIZE(names) != COUNTERS) {
        PyErr_SetString(PyExc_ValueError, "these are not the counters of a run");
        return NULL;
    }
    for (Py_ssize_t place = 0; place < COUNTERS; place++) {
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, place));
        probe.slots[place] = name == NULL ? -1 : offset_of((PyObject *)unions.stats_type, name);
        if (probe.slots[place] < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
probe_is_active(PyObject *self, void *unused)
{
    return PyBool_FromLong(is_probed());
}

static PyGetSetDef probe_properties[] = {
    {"active", probe_is_active, NULL, NULL, NULL},
    {NULL},
};

static PyMethodDef probe_methods[] = {
    {"enter", probe_enter, METH_O, NULL},
    {"entry", probe_entry, METH_VARARGS, NULL},
    {"point", probe_point, METH_VARARGS, NULL},
    {"each", (PyCFunction)(void (*)(void))probe_each, METH_FASTCALL, NULL},
    {"leave", probe_leave, METH_O, NULL},
    {"changed", probe_changed, METH_NOARGS, NULL},
    {"charge", probe_charge, METH_VARARGS, NULL},
    {"function", probe_function, METH_O, NULL},
    {"place", probe_place, METH_O, NULL},
    {"start", probe_start, METH_O, NULL},
    {"stop", probe_stop, METH_NOARGS, NULL},
    {"setup", probe_setup, METH_VARARGS, NULL},
    {NULL},
};

static PyTypeObject ProbeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "solvent.terms.compiled.Probe",
    .tp_basicsize = sizeof(PyObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_methods = probe_methods,
    .tp_getset = probe_properties,
};

static PyObject *
core_made(PyObject *module, PyObject *unused)
{
    return PyLong_FromSsize_t(numbers.next);
}

static PyObject *
core_setup_numbers(PyObject *module, PyObject *args)
{
    PyObject *visit;
    if (!PyArg_ParseTuple(args, "On", &visit, &numbers.chunk)) {
        return NULL;
    }
    numbers.until_visit = numbers.chunk;
    Py_XSETREF(numbers.visit, Py_NewRef(visit));
    Py_RETURN_NONE;
}

static PyObject *
core_setup_tests(PyObject *module, PyObject *args)
{
    PyObject *scope, *limits;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &scope, &PyType_Type, &limits)) {
        return NULL;
    }
    static const char *const of_scope[] = {"code", "frame", "left", NULL};
    Py_ssize_t *const scope_offsets[] = {&tests.scope_code, &tests.scope_frame, &tests.scope_left};
    static const char *const of_limits[] = {"ask_after", "bound", "pause", NULL};
    Py_ssize_t *const limits_offsets[] = {&tests.ask_after, &tests.bound, &tests.pause};
    static const char *const of_machine[] = {"limits", NULL};
    Py_ssize_t *const machine_offsets[] = {&tests.machine_limits};
    if (forks.machine_type == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "forks are set up first");
        return NULL;
    }
    if (set_offsets(scope, of_scope, scope_offsets) < 0
        || set_offsets(limits, of_limits, limits_offsets) < 0
        || set_offsets((PyObject *)forks.machine_type, of_machine, machine_offsets) < 0) {
        return NULL;
    }
    tests.limits_type = (PyTypeObject *)Py_NewRef(limits);
    tests.scope_type = (PyTypeObject *)Py_NewRef(scope);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_calls(PyObject *module, PyObject *args)
{
    PyObject *functions, *constructors, *attribute, *owner, *bits_term, *negation, *sum_of_bits;
    PyObject *negation_of_bits;
    if (!PyArg_ParseTuple(args, "O!O!UUiO!O!O!O!", &PyDict_Type, &functions, &PyDict_Type,
                          &constructors, &attribute, &owner, &calls.lifted, &PyType_Type,
                          &bits_term, &ConstructorType, &negation, &ConstructorType, &sum_of_bits,
                          &ConstructorType, &negation_of_bits)) {
        return NULL;
    }
    calls.negation = (Constructor *)Py_NewRef(negation);
    calls.sum_of_bits = (Constructor *)Py_NewRef(sum_of_bits);
    calls.negation_of_bits = (Constructor *)Py_NewRef(negation_of_bits);
    calls.functions = Py_NewRef(functions);
    calls.constructors = Py_NewRef(constructors);
    Py_INCREF(attribute);
    PyUnicode_InternInPlace(&attribute);
    calls.attribute = attribute;
    Py_INCREF(owner);
    PyUnicode_InternInPlace(&owner);
    calls.owner = owner;
    calls.bits_term = (PyTypeObject *)Py_NewRef(bits_term);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_items(PyObject *module, PyObject *args)
{
    PyObject *table;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &table)) {
        return NULL;
    }
    items.get_name = PyUnicode_InternFromString("__getitem__");
    items.set_name = PyUnicode_InternFromString("__setitem__");
    if (items.get_name == NULL || items.set_name == NULL) {
        return NULL;
    }
    items.table = Py_NewRef(table);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_journal(PyObject *module, PyObject *args)
{
    PyObject *record, *machine, *kind, *nothing;
    if (!PyArg_ParseTuple(args, "O!O!OO", &PyType_Type, &record, &PyType_Type, &machine, &kind,
                          &nothing)) {
        return NULL;
    }
    static const char *const of_record[] = {"kind", "owner", "whole", "slots", NULL};
    Py_ssize_t *const record_offsets[] = {&journal.kind, &journal.owner, &journal.whole,
                                          &journal.slots};
    static const char *const of_machine[] = {"watchers", NULL};
    Py_ssize_t *const machine_offsets[] = {&journal.machine_watchers};
    static const char *const of_stats[] = {"writes", NULL};
    Py_ssize_t *const stats_offsets[] = {&journal.stats_writes};
    if (set_offsets(record, of_record, record_offsets) < 0
        || set_offsets(machine, of_machine, machine_offsets) < 0
        || set_offsets((PyObject *)unions.stats_type, of_stats, stats_offsets) < 0) {
        return NULL;
    }
    journal.items = Py_NewRef(kind);
    journal.nothing = Py_NewRef(nothing);
    journal.record_type = (PyTypeObject *)Py_NewRef(record);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_iterators(PyObject *module, PyObject *args)
{
    PyObject *zip, *sequence;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &zip, &PyType_Type, &sequence)) {
        return NULL;
    }
    static const char *const of_zip[] = {"sources", "strict", NULL};
    Py_ssize_t *const zip_offsets[] = {&iterators.sources, &iterators.strict};
    static const char *const of_sequence[] = {"source", "place", "done", NULL};
    Py_ssize_t *const sequence_offsets[] = {&iterators.source, &iterators.place, &iterators.done};
    if (set_offsets(zip, of_zip, zip_offsets) < 0
        || set_offsets(sequence, of_sequence, sequence_offsets) < 0) {
        return NULL;
    }
    iterators.zip_type = (PyTypeObject *)Py_NewRef(zip);
    iterators.sequence_type = (PyTypeObject *)Py_NewRef(sequence);
    Py_RETURN_NONE;
}

static PyObject *
core_setup_instances(PyObject *module, PyObject *args)
{
    PyObject *stand_in, *native;
    if (!PyArg_ParseTuple(args, "O!O!", &PyType_Type, &stand_in, &PyDict_Type, &native)) {
        return NULL;
    }
    instances.stand_in = (PyTypeObject *)Py_NewRef(stand_in);
    instances.native = Py_NewRef(native);
    Py_RETURN_NONE;
}

/* The nearest frame whose file is not known to be Solvent's own, by a table of files. */
static PyObject *
core_frame_outside(PyObject *module, PyObject *own)
{
    if (!PyDict_Check(own)) {
        PyErr_SetString(PyExc_TypeError, "files are told by a dict");
        return NULL;
    }
    PyFrameObject *frame = (PyFrameObject *)Py_XNewRef((PyObject *)PyEval_GetFrame());
    while (frame != NULL) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        PyObject *found = PyDict_GetItemWithError(own, code->co_filename);
        Py_DECREF(code);
        if (found != Py_True) {
            break;
        }
        PyFrameObject *back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
    }
    if (PyErr_Occurred()) {
        Py_XDECREF(frame);
        return NULL;
    }
    return frame == NULL ? Py_NewRef(Py_None) : (PyObject *)frame;
}

static PyObject *
core_same_operand(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "two operands are compared");
        return NULL;
    }
    int same = same_operand(args[0], args[1]);
    return same < 0 ? NULL : PyBool_FromLong(same);
}

static PyMethodDef core_methods[] = {
    {"frame_outside", core_frame_outside, METH_O, NULL},
    {"same_operand", (PyCFunction)(void (*)(void))core_same_operand, METH_FASTCALL, NULL},
    {"node", (PyCFunction)(void (*)(void))core_node, METH_FASTCALL, NULL},
    {"added", (PyCFunction)(void (*)(void))core_added, METH_FASTCALL, NULL},
    {"unshared", (PyCFunction)(void (*)(void))core_unshared, METH_FASTCALL, NULL},
    {"claim", core_claim, METH_NOARGS, NULL},
    {"adopt", core_adopt, METH_O, NULL},
    {"lookup", core_lookup, METH_O, NULL},
    {"next_id", core_next_id, METH_NOARGS, NULL},
    {"made", core_made, METH_NOARGS, NULL},
    {"live", core_live, METH_NOARGS, NULL},
    {"sweep", core_sweep, METH_NOARGS, NULL},
    {"conditions", core_conditions, METH_VARARGS, NULL},
    {"fast", core_fast, METH_VARARGS, NULL},
    {"setup_numbers", core_setup_numbers, METH_VARARGS, NULL},
    {"setup_terms", core_setup_terms, METH_VARARGS, NULL},
    {"setup_shapes", core_setup_shapes, METH_VARARGS, NULL},
    {"setup_unions", core_setup_unions, METH_VARARGS, NULL},
    {"call_as_join", core_call_as_join, METH_VARARGS, NULL},
    {"setup_forks", core_setup_forks, METH_VARARGS, NULL},
    {"setup_tests", core_setup_tests, METH_VARARGS, NULL},
    {"setup_items", core_setup_items, METH_VARARGS, NULL},
    {"setup_journal", core_setup_journal, METH_VARARGS, NULL},
    {"setup_iterators", core_setup_iterators, METH_VARARGS, NULL},
    {"setup_instances", core_setup_instances, METH_VARARGS, NULL},
    {"setup_calls", core_setup_calls, METH_VARARGS, NULL},
    {"setup_merging", core_setup_merging, METH_VARARGS, NULL},
    {"setup_booleans", core_setup_booleans, METH_VARARGS, NULL},
    {NULL},
};

static struct PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "solvent.terms.compiled",
    .m_doc = "The compiled core; see docs/internals.md.",
    .m_size = -1,
    .m_methods = core_methods,
};

PyMODINIT_FUNC
PyInit_compiled(void)
{
    PyObject *module = PyModule_Create(&core_module);
    if (module == NULL) {
        return NULL;
    }
    if (table.slots == NULL && resize(SMALLEST_TABLE) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    if (PyModule_AddType(module, &NodeType) < 0 || PyModule_AddType(module, &ConstructorType) < 0
        || PyModule_AddType(module, &FastType) < 0 || PyModule_AddType(module, &ProbeType) < 0
        || PyType_Ready(&PointType) < 0 || PyType_Ready(&EntryType) < 0
        || PyType_Ready(&EachType) < 0
        || PyModule_AddIntConstant(module, "REVISION", REVISION) < 0
        || PyModule_AddIntConstant(module, "COMMUTATIVE", COMMUTATIVE) < 0
        || PyModule_AddIntConstant(module, "BINARY", BINARY) < 0
        || PyModule_AddIntConstant(module, "UNARY", UNARY) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
