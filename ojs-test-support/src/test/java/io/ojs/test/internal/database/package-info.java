@NullMarked
package io.ojs.test.internal.database;

import org.jspecify.annotations.NullMarked;
