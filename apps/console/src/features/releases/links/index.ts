export { useReleaseMarks } from './marks.ts'
export { ReleaseLink } from './ReleaseLink.tsx'
export { suspectsQuery } from './suspects-query.ts'
