import { z } from 'zod'

/**
 * zod without generated code. It would compile validators with `new Function`, which the console's
 * Content-Security-Policy forbids: the mere attempt, made when a schema is created, is reported as a violation. Hence all
 * of this package takes zod from here.
 */
z.config({ jitless: true })

export { z }
