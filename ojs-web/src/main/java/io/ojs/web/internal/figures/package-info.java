/**
 * Endpoints of figures for operators.
 */
@NullMarked
package io.ojs.web.internal.figures;

import org.jspecify.annotations.NullMarked;
