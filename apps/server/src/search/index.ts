/** What searches of any capability need. The fields that a table has are declared where the table is (`SearchedTable`). */
export {
  formatFilter,
  isWildcard,
  textOf,
  tokenize,
  type FieldTerm,
  type HasTerm,
  type Operator,
  type Pattern,
  type SearchKey,
  type SearchNode,
  type SearchTerm,
} from '@firsthand/search-syntax'
export { LIMITS as SEARCH_LIMITS } from './limits.ts'
export { parseSearch, type SearchError, type SearchQuery } from './parse.ts'
export { projectsNamed, unknownProjects } from './named-projects.ts'
export { compileFilter, toLike, type RowFilter } from './filter.ts'
export { Parameters, type Bind, type ParameterType, type ParameterValue } from './parameters.ts'
export { rowsOf, type RowQuery } from './map-reads.ts'
export { isTooMuch, tooLarge, unlessTooLarge } from './too-much.ts'
export { MERGED_LATER } from './merged-later.ts'
export { attributeGroupOf } from './attribute-groups.ts'
export { columnRefusalOf, findAttribute, findNumber, refusalOf, unitOf } from './dataset.ts'
export { hexOfNumber, hexOfNumberOrNone, hexOfUuid, hexOfUuidOrNone, NO_UUID, numberOfHex } from './id-columns.ts'
export type {
  AttributeType,
  Dataset,
  DatasetAttribute,
  DatasetName,
  FoundAttribute,
  IdsToName,
  Runs,
  SummedDays,
  ToPrepare,
  WholeDays,
} from './dataset.ts'
export type { LookedUp, NestedField, SearchedTable, SearchField } from './fields.ts'
export { parseDuration, parseNumber, parseQuantity, parseTimeRange, type Quantity, type TimeRange } from './values.ts'
export {
  chooseInterval,
  createBuckets,
  fillBuckets,
  lastDays,
  parseInstant,
  readInterval,
  readPeriod,
  type Buckets,
  type Period,
  type PeriodQuery,
} from './time-range.ts'
export { readUnit } from './units.ts'
export { BEARABLE, RowNumbers, weightOfShare, type Coarser } from './row-numbers.ts'
export {
  inPersonsTime,
  isPerson,
  isPersonInAttributes,
  namesOfKind,
  NOT_SEEN,
  personCountSql,
  personParams,
  type AskedPerson,
  type PersonCount,
  type PersonPage,
} from './person.ts'
