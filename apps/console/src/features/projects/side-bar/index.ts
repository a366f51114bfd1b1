export { ProjectsSection } from './ProjectsSection.tsx'
