import { type DocumentNode, getOperationAST, Kind, type SelectionSetNode } from 'graphql';

/** The mutation that ends read-only mode. */
const EXEMPT = 'setReadOnly';

/** Whether a selection of mutations, with its fragments, has no field but the exempt one. */
function isExempt({ selections }: SelectionSetNode, document: DocumentNode): boolean {
  return selections.every((selection) => {
    if (selection.kind === Kind.FIELD) return [EXEMPT, '__typename'].includes(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return isExempt(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION && isExempt(fragment.selectionSet, document);
  });
}

/** Whether an operation passes in read-only mode: queries, and mutations without a field but the exempt one. */
export const isAllowedInReadOnly = (document: DocumentNode, operationName?: string | null): boolean => {
  const operation = getOperationAST(document, operationName);
  return operation?.operation !== 'mutation' || isExempt(operation.selectionSet, document);
};
