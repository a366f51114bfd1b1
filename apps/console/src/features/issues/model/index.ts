/** What the stream's rows and URL mean, without its screen. */
export { issueKeys } from './keys.ts'
export { assigneeName, badgeOf, titleParts, toldUsWords, uniqueIssues } from './rows.ts'
export {
  compactScope,
  compactUrl,
  fromUrl,
  rangeBetween,
  readScope,
  readStreamUrl,
  scopeKey,
  scopeQuery,
  type ScopeSearch,
  type ScopeUrl,
  timeOf,
  type StreamSearch,
  type StreamUrl,
  wholeScope,
} from './stream-search.ts'
