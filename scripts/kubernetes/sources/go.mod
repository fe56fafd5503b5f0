module keelson/kubernetes-sources

go 1.24
