// Package gateway names the module of the Gateway API, whose own tests of its validation rules are built and run from it.
package gateway

import _ "sigs.k8s.io/gateway-api/apis/v1"
