// The command of the image agnhost that hollow nodes run, a webhook for admission.
package main

import (
	"flag"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/test/images/agnhost/webhook"
)

func main() {
	command := &cobra.Command{Use: "agnhost"}
	klog.InitFlags(nil)
	command.PersistentFlags().AddGoFlagSet(flag.CommandLine)
	command.AddCommand(webhook.CmdWebhook)
	if command.Execute() != nil {
		os.Exit(1)
	}
}
