export { ProjectFeedback } from './ProjectFeedback.tsx'
