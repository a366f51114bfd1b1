export { ReleaseLink } from './ReleaseLink.tsx'
