/** What the stream's rows and URL mean, without its screen. */
export { assigneeName, badgeOf, titleParts, uniqueIssues } from './rows.ts'
export { compactUrl, fromUrl, readStreamUrl, type StreamSearch, type StreamUrl } from './stream-search.ts'
