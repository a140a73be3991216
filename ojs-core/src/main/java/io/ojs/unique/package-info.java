/**
 * The key by which unique jobs are told apart (OJS Unique Jobs §4).
 */
@NullMarked
package io.ojs.unique;

import org.jspecify.annotations.NullMarked;
