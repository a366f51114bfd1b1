export { SetUpProject } from './SetUpProject.tsx'
export { useProjectToSetUp } from './project-to-set-up.ts'
export { useSetUp } from './use-set-up.ts'
