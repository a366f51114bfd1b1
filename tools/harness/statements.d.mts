export declare const WITHOUT_TEST: Readonly<Record<number, string>>
export declare const statementsOf: (text: string) => number[]
export declare const complaintsOf: (statements: readonly number[], titles: readonly string[]) => string[]
