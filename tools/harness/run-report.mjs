/**
 * How a part of `npm test` went, and the summary that ends the output. CI shows only the last lines, so everything that
 * somebody needs to mend a failure is there.
 */

const SLOWEST_FILES = 10
const FAILURES_IN_FULL = 20

const row = ({ name, seconds }) => `  ${seconds.toFixed(1).padStart(7)} s  ${name}`

/**
 * @param {import('./run-report.mjs').WholeRun} run
 * @returns {string} the last lines of the output; the very last is `N passed, N failed`
 */
export const summary = ({ passed, failures, files, parts, total }) => {
  const slowest = files.toSorted((left, right) => right.seconds - left.seconds).slice(0, SLOWEST_FILES)
  const sections = [['Time of each part:', ...parts.map(row), row({ name: 'altogether', seconds: total })]]
  if (slowest.length > 0) sections.push(['Slowest files:', ...slowest.map(row)])
  for (const { name, message } of failures.slice(0, FAILURES_IN_FULL))
    sections.push([`FAILED ${name}`, ...message.split('\n').map((line) => `    ${line}`)])
  if (failures.length > 1) sections.push(['Failed:', ...failures.map(({ name }) => `  ${name}`)])
  sections.push([`${passed} passed, ${failures.length} failed`])
  return `\n${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
