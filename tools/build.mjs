/** Builds what is stale: the console and the server's bundle. */
import { buildConsole, buildServer } from './prepare.mjs'

if (!process.argv.includes('--server')) buildConsole()
buildServer()
