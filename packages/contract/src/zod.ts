import { z } from 'zod'
import { globalConfig } from 'zod/v4/core'

/**
 * zod without generated code. It would compile validators with `new Function`, which the console's
 * Content-Security-Policy forbids: the mere attempt, made when a schema is created, is reported as a violation. Hence all
 * of this package takes zod from here. Not `z.config`: to the console's bundler all that `z` does is without effect.
 */
globalConfig.jitless = true

export { z }
