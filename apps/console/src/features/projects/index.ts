export { PLATFORMS, platformOf } from './model/platforms.ts'
export { keysQuery, projectQuery } from './queries.ts'
export { ProjectsFilter } from './components/ProjectsFilter.tsx'
