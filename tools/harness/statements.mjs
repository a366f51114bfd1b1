/**
 * The numbered statements of `docs/reference/widget.md` (E) and the tests that hold them. A test names its statements at
 * the beginning of its title, `widget 12, 35: the banner is …`, and counts when it has run and passed.
 */

/** Statements that no test of a run can hold, each with its reason. */
export const WITHOUT_TEST = {
  25: 'canvas recording belongs to the replay package, which is not written yet',
  95: 'sizes are a check of their own: `npm run size`',
  99: 'a time on a slow device: tests never assert on time',
}

/** @param {string} text of `docs/reference/widget.md` */
export const statementsOf = (text) => [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))

/** @param {string} title of a test, without those of its suites */
const statementsIn = (title) => {
  const [, numbers = ''] = /^widget (\d+(?:, \d+)*): /.exec(title) ?? []
  return numbers.split(', ').filter(Boolean).map(Number)
}

/**
 * What is wrong with the coverage of the statements, one sentence each.
 *
 * @param {readonly number[]} statements all there are
 * @param {readonly string[]} titles of the tests that passed
 */
export const complaintsOf = (statements, titles) => {
  const held = new Set(titles.flatMap(statementsIn))
  const excused = (statement) => Object.hasOwn(WITHOUT_TEST, statement)
  return [
    ...statements
      .filter((statement) => !held.has(statement) && !excused(statement))
      .map((statement) => `Statement ${statement} has no test that passed.`),
    ...statements
      .filter((statement) => held.has(statement) && excused(statement))
      .map((statement) => `Statement ${statement} has a test; take it off the list of those without.`),
    ...[...held]
      .filter((statement) => !statements.includes(statement))
      .map((statement) => `A test names statement ${statement}, which the widget's list does not have.`),
  ]
}
