// Measures cel-go, set up as kube-apiserver sets it up, on the expressions that it reads from standard input, one a
// line, over the object in its first argument. Prints for each what one compilation and one evaluation take, in
// nanoseconds, as a line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/interpreter"
)

type figures struct {
	CompileNs  float64 `json:"compileNs"`
	EvaluateNs float64 `json:"evaluateNs"`
}

func main() {
	var self map[string]any
	if err := json.Unmarshal([]byte(os.Args[1]), &self); err != nil {
		panic(err)
	}
	variables := map[string]any{"self": whole(self)}
	env, err := cel.NewEnv(cel.Variable("self", cel.DynType), cel.CrossTypeNumericComparisons(true))
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		text := lines.Text()
		program := compile(env, text)
		line, _ := json.Marshal(figures{
			CompileNs:  best(func() { compile(env, text) }),
			EvaluateNs: best(func() { evaluate(program, variables) }),
		})
		fmt.Println(string(line))
	}
}

// whole makes ints of the numbers that are whole.
func whole(value any) any {
	switch v := value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case map[string]any:
		for key, each := range v {
			v[key] = whole(each)
		}
	case []any:
		for i, each := range v {
			v[i] = whole(each)
		}
	}
	return value
}

func compile(env *cel.Env, text string) cel.Program {
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		panic(issues.Err())
	}
	program, err := env.Program(ast,
		cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost),
		cel.CostLimit(1_000_000),
		cel.CostTrackerOptions(interpreter.PresenceTestHasCost(false)),
		cel.InterruptCheckFrequency(100))
	if err != nil {
		panic(err)
	}
	return program
}

func evaluate(program cel.Program, variables map[string]any) {
	if _, _, err := program.Eval(variables); err != nil {
		panic(err)
	}
}

// best is the quickest of several runs of some 50 ms, in nanoseconds for each call.
func best(call func()) float64 {
	least := 0.0
	for run := 0; run < 10; run++ {
		calls := 0
		start := time.Now()
		for time.Since(start) < 50*time.Millisecond {
			for i := 0; i < 10; i++ {
				call()
			}
			calls += 10
		}
		each := float64(time.Since(start).Nanoseconds()) / float64(calls)
		if run == 0 || each < least {
			least = each
		}
	}
	return least
}
