/**
 * What operators are shown: how many jobs wait, at the broker and in the store, and what
 * needs attention.
 */
@NullMarked
package io.ojs.internal.figures;

import org.jspecify.annotations.NullMarked;
