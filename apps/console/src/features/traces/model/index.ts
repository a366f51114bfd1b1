/** The axis of time, for others that are looked at from near and far. */
export {
  bringIntoSight,
  clampZoom,
  fit,
  isWhole,
  panBy,
  type Tick,
  ticksOf,
  type Zoom,
  zoomAround,
} from './time-axis.ts'
