package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"dudo.example/rules"
)

// optionFlags are the flags that choose options of a game.
type optionFlags struct {
	preset string
	given  []string
	flag   string // the end of the flags' names
}

// add declares the flags. arg is the number of the argument that names the game.
func (o *optionFlags) add(cmd *cobra.Command, arg int, of string) {
	preset, option := "preset"+o.flag, "option"+o.flag
	cmd.Flags().StringVar(&o.preset, preset, "", "a preset of "+of)
	cmd.Flags().StringArrayVar(&o.given, option, nil, "an option of "+of+", as name=value; can be given several times")
	complete := func(list func(*rules.File) []string) cobra.CompletionFunc {
		return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) <= arg {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			f, err := findRules(args[arg])
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return list(f), cobra.ShellCompDirectiveNoFileComp
		}
	}
	for name, list := range map[string]func(*rules.File) []string{preset: presetNames, option: optionNames} {
		if err := cmd.RegisterFlagCompletionFunc(name, complete(list)); err != nil {
			panic(err) // the flag stands above
		}
	}
}

func presetNames(f *rules.File) (list []string) {
	for _, p := range f.Presets {
		list = append(list, p.Name+"\t"+p.Doc)
	}
	return list
}

func optionNames(f *rules.File) (list []string) {
	for _, o := range f.Options {
		list = append(list, fmt.Sprintf("%s=%d\t%s", o.Name, o.Default, o.Doc))
	}
	return list
}

// options are those that the flags choose; an option stands above the preset.
func (o *optionFlags) options(f *rules.File) (map[string]int, error) {
	given := map[string]int{}
	for _, text := range o.given {
		name, value, ok := strings.Cut(text, "=")
		n, err := strconv.Atoi(value)
		switch {
		case ok && (value == "yes" || value == "true"):
			n = 1
		case ok && (value == "no" || value == "false"):
			n = 0
		case !ok || err != nil:
			return nil, usageError{fmt.Errorf("an option is written name=value, such as dice=5, not %q", text)}
		}
		given[name] = n
	}
	chosen, err := f.WithPreset(o.preset, given)
	if err == nil {
		_, err = f.Resolve(chosen)
	}
	if err != nil {
		return nil, usageError{err}
	}
	return chosen, nil
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
