/** 0, which nothing has, for what is no id. */
export const readId = (reference: string): number => (/^\d{1,15}$/.test(reference) ? Number(reference) : 0)
