// The root of the module; which client-go it is built with stand in the .mod files beside it (go build -modfile).
module keelson.test/past

go 1.19
