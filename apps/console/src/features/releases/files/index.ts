export { ProjectSourceMaps } from './ProjectSourceMaps.tsx'
export { ReleaseFiles } from './ReleaseFiles.tsx'
