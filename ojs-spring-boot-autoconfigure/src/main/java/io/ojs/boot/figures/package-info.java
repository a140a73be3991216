/**
 * Auto-configuration of figures for operators.
 */
@NullMarked
package io.ojs.boot.figures;

import org.jspecify.annotations.NullMarked;
