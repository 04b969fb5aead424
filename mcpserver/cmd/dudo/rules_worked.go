package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"dudo.example/rules"
)

func rulesTestCommand() *cobra.Command {
	var asJSON bool
	var extra []string
	cmd := &cobra.Command{
		Use:   "test GAME",
		Short: "Play the worked examples of a rule file, and others",
		Long: "Test plays the worked examples of a rule file, one a line, and says what differs where one comes out otherwise. --examples names files\n" +
			"of further examples, written as in a rule file: a mapping with the key examples alone.",
		Example:           "  dudo rules test perudo --examples club.yaml",
		Args:              oneGame,
		ValidArgsFunction: completeGames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := findRules(args[0])
			if err != nil {
				return err
			}
			list := tested(args[0], f.Examples())
			for _, name := range extra {
				examples, err := readExamples(f, name)
				if err != nil {
					return err
				}
				list = append(list, tested(name, examples)...)
			}
			if err := writeTested(cmd.OutOrStdout(), list, asJSON); err != nil {
				return err
			}
			wrong := 0
			for _, e := range list {
				if e.Fault != "" {
					wrong++
				}
			}
			if wrong > 0 {
				return fmt.Errorf("%s of %d came out otherwise", plural(wrong, "example"), len(list))
			}
			return nil
		},
	}
	cmd.Flags().StringArrayVar(&extra, "examples", nil, "a file of further examples; can be given several times")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// maxExamples is more than any file of examples may have, so that one that is too large is refused by its reader.
const maxExamples = 1 << 20

func readExamples(f *rules.File, name string) ([]rules.Example, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, usageError{err}
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, maxExamples))
	if err != nil {
		return nil, err
	}
	return f.ReadExamples(name, text)
}

// testedExample is an example that was played.
type testedExample struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Name  string `json:"name"`
	Holds bool   `json:"holds"`
	Fault string `json:"fault,omitempty"`
}

func tested(file string, examples []rules.Example) []testedExample {
	list := make([]testedExample, len(examples))
	for i, e := range examples {
		list[i] = testedExample{File: file, Line: e.Line, Name: e.Name, Holds: true}
		if err := e.Run(); err != nil {
			list[i].Holds, list[i].Fault = false, err.Error()
			var at *rules.Error
			if errors.As(err, &at) {
				list[i].Line = max(at.Line, 1)
				list[i].Fault = strings.TrimPrefix(at.Msg, fmt.Sprintf("example %q: ", e.Name))
			}
		}
	}
	return list
}

func writeTested(out io.Writer, list []testedExample, asJSON bool) error {
	if asJSON {
		return writeJSON(out, list)
	}
	for _, e := range list {
		line := fmt.Sprintf("%s %s\n", color.GreenString("✓"), e.Name)
		if !e.Holds {
			line = fmt.Sprintf("%s %s\n    %s:%d: %s\n", color.RedString("✗"), e.Name, e.File, e.Line, e.Fault)
		}
		if _, err := io.WriteString(out, line); err != nil {
			return err
		}
	}
	return nil
}
