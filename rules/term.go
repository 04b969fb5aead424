package rules

// kind is the type of an expression. A seat is an integer that is shown as a seat; arithmetic on it gives a plain integer.
type kind uint8

const (
	kindInt kind = iota
	kindSeat
	kindBool
	kindUnknown // of a let that has an error
)

func (k kind) String() string {
	return [...]string{"an integer", "a seat", "true or false", "unknown"}[k]
}

// op says what a term does. The comments say what n and the kids are.
type op uint8

const (
	opConst  op = iota // n is the value
	opOption           // n is the option's number
	opSeats            // the number of seats
	opMe               // the acting seat
	opArg              // n is the number of the action's parameter
	opLocal            // n is the slot
	opParam            // n is the number of the parameter of fn
	opItem             // the element that a quantifier looks at
	opVar              // n is the variable
	opVarAt            // n is the variable, kid 0 the seat
	opLen              // the length of zone n, of seat kid 0 if it belongs to seats
	opNeg              // 1 kid
	opNot              // 1 kid
	opAdd              // 2 kids, and so on
	opSub
	opMul
	opRem // Go's %
	opDiv // rounds down
	opCeilDiv
	opMod // rounds down
	opMin
	opMax
	opAbs // 1 kid
	opEq
	opNe
	opLt
	opLe
	opGt
	opGe
	opAnd
	opOr
	opCond  // 3 kids
	opCall  // fn with its arguments
	opNext  // the next seat after kid 0 that still plays
	opPrev  // the one before
	opLive  // how many seats still play
	opTally // elements of the zones n, or of zone n of seat kid 0 if there are two kids, that equal the last kid
	opAll   // quantifiers: over variable or zone n, of seat kid 0 if there are two kids, or over allSeats; the last kid is the predicate
	opAny
	opNone
	opOne
	opCount
	opSum
)

// allSeats is the n of a quantifier that goes over the seats themselves.
const allSeats = -1

// term is a checked expression: names are resolved, every node is exactly int or bool.
type term struct {
	op   op
	kind kind
	n    int
	fn   *function
	kids []*term
}

// overSeats reports whether a tally or a quantifier over the variable goes over all seats.
func (t *term) overSeats(v *variable) bool {
	return v.perSeat && (v.zone == nil || (t.op == opTally && len(t.kids) == 1))
}

func constant(n int) *term { return &term{op: opConst, n: n} }

// free reports whether the term reads no parameter of the action.
func (t *term) free() bool {
	if t.op == opArg {
		return false
	}
	for _, k := range t.kids {
		if !k.free() {
			return false
		}
	}
	return true
}

// expression is a term with the text it came from.
type expression struct {
	*term
	text    string
	from    *node
	private bool // reads what only its actor sees
	scope   scope
}

// function is a pure function of the file.
type function struct {
	name   string
	at     place
	params []string
	body   *expression
	order  bool             // compares two bids, and its table is proven free of circles
	strict bool             // and proven total and transitive
	table  [][2]*expression // domain of each parameter, if tabled
	state  bool             // reads state, itself or through what it calls
	hidden string           // what it reads that not everybody sees, "" for nothing
	alive  bool             // calls next, prev or live, itself or through what it calls
	calls  []*function
	cost   int // of a call, 0 until it is known
	base   int // first of its slots: the parameters, then one for quantifiers
}

func (f *function) height() int { return f.base + len(f.params) + 1 }
