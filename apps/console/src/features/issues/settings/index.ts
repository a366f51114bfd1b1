export { ProjectGrouping } from './ProjectGrouping.tsx'
