/** By what a list is sorted, as addresses and the API say it: a column, with `-` for the largest first. */
export type Sort<Column extends string> = Column | `-${Column}`

/**
 * The head of a column was pressed; a second press turns it round.
 *
 * @param smallestFirst such columns: names begin with A, and of some numbers the smallest is the worst
 */
export function sortedBy<Column extends string>(
  sort: Sort<Column>,
  column: Column,
  smallestFirst: readonly Column[] = [],
): Sort<Column> {
  const [first, other]: readonly [Sort<Column>, Sort<Column>] = smallestFirst.includes(column)
    ? [column, `-${column}`]
    : [`-${column}`, column]
  return sort === first ? other : first
}

export function directionOf(sort: string, column: string): 'ascending' | 'descending' | 'none' {
  return sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none'
}
