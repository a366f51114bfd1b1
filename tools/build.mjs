/** Builds what is stale: the console, the script tag's files and the server's bundle. */
import { buildBrowser, buildConsole, buildServer } from './prepare.mjs'

if (!process.argv.includes('--server')) {
  buildConsole()
  buildBrowser()
}
buildServer()
