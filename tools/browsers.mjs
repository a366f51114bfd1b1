/** Finds or installs every browser of the tests: a process of its own, so that it can go on beside checks and unit tests. */
import { ensureChromium, ensureHeadlessShell } from './chromium.mjs'
import { ensureEngines } from './engines.mjs'

ensureChromium()
ensureHeadlessShell()
ensureEngines()
