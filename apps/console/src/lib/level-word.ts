/** The level of a log line as one says it: searches and SDKs write `warn`. */
export const levelWord = (level: string): string => (level === 'warn' ? 'warning' : level)
