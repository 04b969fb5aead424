package main

import (
	"github.com/spf13/cobra"

	"dudo.example/rules/schema"
)

func rulesSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of rule files, for editors",
		Long: "Schema prints the JSON Schema of rule files. Editors that know YAML schemas then complete keys, explain them and mark mistakes. With\n" +
			"the YAML language server, which many editors use, keep the schema in a file and begin a rule file with a line that names it:\n\n" +
			"  # yaml-language-server: $schema=dudo.schema.json",
		Example: "  dudo rules schema > dudo.schema.json",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := schema.JSON()
			if err == nil {
				_, err = cmd.OutOrStdout().Write(text)
			}
			return err
		},
	}
}
