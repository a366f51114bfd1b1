/** What the stream's rows and URL mean, without its screen. */
export { issueKeys } from './keys.ts'
export { assigneeName, badgeOf, titleParts, uniqueIssues } from './rows.ts'
export {
  compactScope,
  compactUrl,
  fromUrl,
  readScope,
  readStreamUrl,
  type ScopeSearch,
  type ScopeUrl,
  timeOf,
  type StreamSearch,
  type StreamUrl,
} from './stream-search.ts'
