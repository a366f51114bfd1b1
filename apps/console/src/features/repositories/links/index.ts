export { FrameLinks, useFrameLink } from './FrameLinks.tsx'
