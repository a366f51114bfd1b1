export { ProjectOwnership } from './components/ProjectOwnership.tsx'
