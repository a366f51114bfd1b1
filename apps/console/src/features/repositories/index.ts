export { ProjectSourceCode } from './components/ProjectSourceCode.tsx'
export { RepositoriesSettings } from './components/RepositoriesSettings.tsx'
