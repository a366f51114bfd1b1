/** The face of the capability: reading a question, for those who ask it without HTTP. */
export { readCall } from './call.ts'
export type { Column } from './columns.ts'
export { findDataset } from './datasets.ts'
export { withNames } from './names.ts'
export { readQuestion, type Question, type Scope } from './question.ts'
