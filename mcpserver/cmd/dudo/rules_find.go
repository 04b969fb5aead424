package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"dudo.example/mcpserver/rulebook"
	"dudo.example/rules"
)

// findRules gives the rules that an argument means: a file, a game that ships, or the last part of its id where only one game has
// it. Its examples are not run.
func findRules(arg string) (*rules.File, error) {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		text, err := rulebook.Text(arg)
		if err != nil {
			return nil, usageError{err}
		}
		return rules.Parse(arg, text)
	}
	shipped, err := rules.Library()
	if err != nil {
		return nil, err
	}
	var ids []string
	var found []*rules.File
	for _, f := range shipped {
		ids = append(ids, f.Game)
		if f.Game == arg || path.Base(f.Game) == arg {
			found = append(found, f)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, usageError{fmt.Errorf("several games are called %s; write %s or %s", arg, found[0].Game, found[1].Game)}
	}
	return nil, usageError{fmt.Errorf("there is no file %s, and no game %q here; there is %s", arg, arg, strings.Join(ids, ", "))}
}

// oneGame is the argument of most commands.
func oneGame(cmd *cobra.Command, args []string) error {
	return oneArg("a rule file or a game that ships")(cmd, args)
}

// completeGames offers the games that ship, by id and by the last part of it, and files.
func completeGames(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		shipped, err := rules.Library()
		if err != nil || len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		named := map[string]int{}
		for _, f := range shipped {
			named[path.Base(f.Game)]++
		}
		var list []string
		for _, f := range shipped {
			if list = append(list, f.Game+"\t"+f.Title); named[path.Base(f.Game)] == 1 {
				list = append(list, path.Base(f.Game)+"\t"+f.Title)
			}
		}
		return list, cobra.ShellCompDirectiveDefault
	}
}
