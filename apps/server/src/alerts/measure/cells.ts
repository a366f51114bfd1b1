import type { Bind, Dataset } from '../../search/index.ts'
import type { Cell } from './batch.ts'
import { levelColumn } from './shape.ts'

/** Rows of a dataset, each with the cells that it is in: what lets thousands of rules share one statement. */
export interface CelledRows {
  readonly from: string
  readonly where: string
  readonly cell: string
}

const ANY = ''

/** Numbers are of our own ledger; texts are looked up in a bound list, of which the first stands for all. */
const rowsOf = (cells: readonly Cell[], placeOf: (text: string) => number): string[] =>
  cells.flatMap(({ environments, levels, organizationId, projectIds }, place) =>
    projectIds.flatMap((project) =>
      (environments.length === 0 ? [ANY] : environments).flatMap((environment) =>
        (levels.length === 0 ? [ANY] : levels).map(
          (level) => `(${project},${organizationId},${placeOf(environment)},${placeOf(level)},${place})`,
        ),
      ),
    ),
  )

export const celledRows = (dataset: Dataset, cells: readonly Cell[], bind: Bind): CelledRows => {
  const texts = [ANY]
  const placeOf = (text: string): number => {
    const known = texts.indexOf(text)
    return known === -1 ? texts.push(text) : known + 1
  }
  const rows = rowsOf(cells, placeOf)
  const projects = new Set(cells.flatMap(({ projectIds }) => projectIds))
  const words = bind(texts, 'Array(String)')
  const level = levelColumn(dataset)
  const cell = `SELECT tupleElement(row, 1) AS project, tupleElement(row, 2) AS organization,
  ${words}[tupleElement(row, 3)] AS environment, ${words}[tupleElement(row, 4)] AS level, tupleElement(row, 5) AS place
  FROM (SELECT arrayJoin([${rows.join(',')}]) AS row)`
  return {
    from: `${dataset.from} INNER JOIN (${cell}) AS cells ON ${dataset.project} = cells.project AND ${dataset.organization} = cells.organization`,
    where: [
      `${dataset.project} IN (${[...projects].join(',')})`,
      `(cells.environment = '' OR ${dataset.environment} = cells.environment)`,
      ...(level === null ? [] : [`(cells.level = '' OR ${level} = cells.level)`]),
    ].join(' AND '),
    cell: 'cells.place',
  }
}
