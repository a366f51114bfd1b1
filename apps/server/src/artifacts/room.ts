import { LIMITS } from './limits.ts'

/** Why no more is taken, and what whoever uploads can do. */
export const keptEnough = (): string =>
  `This organisation keeps ${LIMITS.ARTIFACTS_KEPT_BYTES / 2 ** 30} GiB of artifacts, which is all it may. Delete those of old releases (DELETE …/projects/{organization}/{project}/files/source-maps/?name={release}) or debug files (DELETE …/files/dsyms/?id={id}), then upload again.`
