export { SetUpProject } from './SetUpProject.tsx'
export { useProjectToSetUp } from './project-to-set-up.ts'
