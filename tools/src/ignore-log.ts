interface NodePath {
  readonly node: { readonly type: string };
  readonly parentPath: {
    readonly node: {
      readonly type: string;
      readonly callee?: { readonly object?: { readonly name?: string } };
    };
  } | null;
}

/** No fault is planted in what a line of the log carries: like its words, it is read by people alone. */
export const logFacts = {
  shouldIgnore(path: unknown): string | undefined {
    const { node, parentPath } = path as NodePath;
    const isOfLog =
      parentPath?.node.type === 'CallExpression' && parentPath.node.callee?.object?.name === 'log';
    return isOfLog && node.type === 'ObjectExpression' ? 'facts of a log line' : undefined;
  },
};

/** What Stryker looks for in a plugin. */
export const strykerPlugins = [{ kind: 'Ignore', name: 'log', value: logFacts }];
