/**
 * What alerts cost, and how soon they speak.
 *
 *   npm run bench:alerts                         10,000 rules over 1,000 projects, beside the digest of 1,000 errors a second
 *   npm run bench:alerts -- beside 1000 100 200  fewer rules, projects and errors a second
 *   npm run bench:alerts -- measured             rules about how much by themselves, minute by minute, without a server
 *   npm run bench:alerts -- kills 100            kill -9 while rules fire, so many times
 */
import { measureBeside } from './alerts/beside.ts'
import { measureKills } from './alerts/kills.ts'
import { measureRules } from './alerts/measured.ts'

const [what = 'beside', ...numbers] = process.argv.slice(2)
const [rules = 10_000, projects = 1000, perSecond = 1000] = numbers.map(Number)
const size = { rules, projects, perSecond }

if (what === 'beside') await measureBeside(size)
else if (what === 'measured') await measureRules(size)
else if (what === 'kills') await measureKills(numbers[0] === undefined ? undefined : Number(numbers[0]))
else {
  process.stderr.write('Usage: node bench/alerts.ts [beside | measured | kills] [rules] [projects] [errors a second]\n')
  process.exit(2)
}
