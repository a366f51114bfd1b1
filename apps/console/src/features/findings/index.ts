export { ProjectFindings } from './components/ProjectFindings.tsx'
