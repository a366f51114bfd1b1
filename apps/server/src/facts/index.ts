export type { Fact, FactKind, FactKinds, StoredFact } from './fact.ts'
export { noteFacts } from './note-facts.ts'
export { followFacts, type FollowFacts } from './follow-facts.ts'
export { fittingTags, shorten, shortenOrNull, type FactTags } from './shorten.ts'
